// The global sheets, in order: fonts, tokens, plain elements. Import once, before any component.
//
// Browsers fetch a subset of a font only when a page has a character of it: emoji and scripts that Inter lacks cost nothing until a page
// uses them, and then work on machines without such fonts too.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@fontsource-variable/noto-sans-devanagari/wght.css';
import '@fontsource-variable/noto-emoji/wght.css';
import './tokens.css';
import './base.css';
