// A sheet: one complete figure. Title, legend, rows of panels, and captions with the measurement and its machine, on its own
// background so that it is legible on light and dark pages.

import { COLORS, FONT, marker, type Style } from './look.ts';
import type { Box } from './panel.ts';
import { element, group, line, text } from './svg.ts';

/** Draws into a box; see drawPanel. */
export type Drawing = (box: Box) => string;

export interface Sheet {
  title: string;
  subtitle: string;
  legend: readonly Style[];
  rows: readonly { height: number; drawings: readonly Drawing[] }[];
  /** one paragraph each, wrapped here */
  captions: readonly string[];
}

const WIDTH = 1_000;
const EDGE = 28;
const GAP = 28;
const TITLE_PX = 19;
const SUBTITLE_PX = 13;
const LEGEND_PX = 12;
const CAPTION_PX = 11;
const LEGEND_LINE = 22;
const CAPTION_LINE = 15.5;
const SAMPLE_WIDTH = 30;
/** Widths of characters of Inter relative to the font size, slightly overestimated, because text cannot be measured here. */
const WIDTHS: readonly [RegExp, number][] = [
  [/[ilj.,:;'|!]/, 0.29],
  [/[ ftr()-]/, 0.38],
  [/[mwMW%]/, 0.86],
  [/[A-Z+]/, 0.69],
];
const OTHER_WIDTH = 0.59;

export function drawSheet({ title, subtitle, legend, rows, captions }: Sheet): string {
  const parts: string[] = [];
  let y = EDGE + 12;
  parts.push(text(title, EDGE, y, { 'font-size': TITLE_PX, 'font-weight': 600, fill: COLORS.ink }));
  for (const row of broken(subtitle, SUBTITLE_PX)) parts.push(text(row, EDGE, (y += 20), { 'font-size': SUBTITLE_PX, fill: COLORS.soft }));
  y += 4;
  for (const row of legendRows(legend)) {
    y += LEGEND_LINE;
    parts.push(...row.map(({ style, x }) => legendEntry(style, x, y)));
  }
  y += 26;
  for (const { height, drawings } of rows) {
    const width = (WIDTH - 2 * EDGE - GAP * (drawings.length - 1)) / drawings.length;
    parts.push(...drawings.map((drawing, i) => drawing({ left: EDGE + i * (width + GAP), top: y, width, height })));
    y += height + 18;
  }
  for (const row of captions.flatMap((caption) => broken(caption, CAPTION_PX))) {
    parts.push(text(row, EDGE, (y += CAPTION_LINE), { 'font-size': CAPTION_PX, fill: COLORS.faint }));
  }
  const height = Math.ceil(y + EDGE - 6);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${height}`,
      'font-family': FONT,
      role: 'img',
      'aria-label': `${title}. ${subtitle}`,
    },
    element('rect', { x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 8, fill: COLORS.page, stroke: COLORS.frame }),
    ...parts,
  );
}

function legendRows(legend: readonly Style[]): { style: Style; x: number }[][] {
  const rows: { style: Style; x: number }[][] = [];
  let x = Infinity;
  for (const style of legend) {
    const width = SAMPLE_WIDTH + 8 + widthOf(style.label, LEGEND_PX);
    if (x + width > WIDTH - EDGE) {
      rows.push([]);
      x = EDGE;
    }
    rows.at(-1)!.push({ style, x });
    x += width + 20;
  }
  return rows;
}

function legendEntry(style: Style, x: number, y: number): string {
  return group(
    {},
    line(x, y - 4, x + SAMPLE_WIDTH, y - 4, { stroke: style.color, 'stroke-width': 1.8, 'stroke-dasharray': style.dash }),
    marker(style, x + SAMPLE_WIDTH / 2, y - 4),
    text(style.label, x + SAMPLE_WIDTH + 8, y, { 'font-size': LEGEND_PX, fill: COLORS.ink }),
  );
}

function widthOf(content: string, size: number): number {
  const of = (character: string) => WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? OTHER_WIDTH;
  return size * [...content].reduce((sum, character) => sum + of(character), 0);
}

/** Wraps text to the width of the sheet. */
function broken(paragraph: string, size: number): string[] {
  const rows = [''];
  for (const word of paragraph.split(' ')) {
    const row = rows.at(-1)!;
    if (row !== '' && widthOf(`${row} ${word}`, size) > WIDTH - 2 * EDGE) rows.push(word);
    else rows[rows.length - 1] = row === '' ? word : `${row} ${word}`;
  }
  return rows;
}
