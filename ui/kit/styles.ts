// The global sheets, in order: fonts, tokens, plain elements. Import once, before any component.
//
// Browsers fetch a font's part only when a page has a character of it: emoji and what Inter does not write cost nothing
// until somebody uses them, and are then there on machines without such fonts too.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@fontsource-variable/noto-sans-devanagari/wght.css';
import '@fontsource-variable/noto-emoji/wght.css';
import './tokens.css';
import './base.css';
