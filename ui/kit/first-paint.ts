// Makes a page's first paint depend on index.html alone: it contains tokens, shell and the chosen theme. The page's own sheets are
// requested below the shell, which is painted by then. Scripts still wait for the sheets: nothing is ever drawn unstyled.
//
// Servers allow the inline code by its hash (apps/site/pages.ts, gateway/src/rest/dashboard.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface Shell {
  /** the second word of the page's name */
  name: string;
  /** where the brand stands: in a bar over a column, in a bar from edge to edge, at the top of a rail */
  layout: 'bar' | 'wide' | 'rail';
}

const HEAD_END = '</head>';
const SHEET = /\s*<link rel="stylesheet"[^>]*>/g;
const ROOT = '<div id="root"></div>';

const kitFile = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

export function firstPaint(shell: Shell): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: { order: 'post', handler: (html) => withShell(html, shell) },
  };
}

/** The page with its shell in the element `root`, until the page itself replaces it. */
export function withShell(html: string, { name, layout }: Shell): string {
  if (!html.includes(ROOT)) throw new Error(`index.html has no ${ROOT}`);
  const style = withoutComments(kitFile('tokens.css')) + withoutComments(kitFile('shell.css'));
  const mark = kitFile('public/favicon.svg').trim();
  const brand = `<p class="shell-brand">${mark}<span>Claret <small>${name}</small></span></p>`;
  const sheets = html.match(SHEET) ?? [];
  return html
    .replace(SHEET, '')
    .replace(HEAD_END, () => `<style>${style}</style>\n    <script>${withoutComments(kitFile('theme.js'))}</script>\n  ${HEAD_END}`)
    .replace(ROOT, () => `<div id="root"><div class="shell shell-${layout}">${brand}</div></div>${sheets.join('')}`);
}
