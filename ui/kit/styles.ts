// The global sheets, in order: fonts, tokens, plain elements. Import once, before any component.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './tokens.css';
import './base.css';
