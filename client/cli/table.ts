// Columns of text, aligned by their width on a terminal. If they are wider than the screen, the columns that may shrink do so.

import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type { Screen } from './screen.ts';

export interface Column {
  header: string;
  align?: 'left' | 'right';
  /** may be narrowed if there is no room; the widest column first */
  shrinks?: boolean;
  /** minimum width, so that columns do not move when the table is drawn again */
  least?: number;
  /** the part that a narrowed text loses; `middle` for keys and labels, which often differ only at their ends */
  cut?: 'middle' | 'end';
}

const GAP = 2;
const SHRUNK_TO = 8;

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** The text, shortened with an ellipsis if it is wider than `width`. */
export const fit = (text: string, width: number, position: 'middle' | 'end' = 'end'): string =>
  stringWidth(text) <= width ? text : cliTruncate(text, Math.max(1, width), { position });

function widthsOf(columns: readonly Column[], rows: readonly string[][], room: number): number[] {
  const widths = columns.map(({ header, least = 0 }, at) =>
    Math.max(least, stringWidth(header), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - room;
  while (excess > 0) {
    const shrinking = columns.flatMap(({ shrinks }, at) => (shrinks === true && widths[at]! > SHRUNK_TO ? [at] : []));
    if (shrinking.length === 0) break;
    const widest = shrinking.reduce((one, other) => (widths[other]! > widths[one]! ? other : one));
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

/** Headers are dim. If all of them are empty, there is no header line. */
export function table(columns: readonly Column[], rows: readonly string[][], screen: Screen, indent = 0): string {
  const widths = widthsOf(columns, rows, screen.columns - indent);
  const line = (cells: readonly string[]) =>
    ' '.repeat(indent) +
    columns
      .map(({ align, cut }, at) => pad(fit(cells[at] ?? '', widths[at]!, cut), widths[at]!, align))
      .join(' '.repeat(GAP))
      .trimEnd();
  const headers = columns.map(({ header }) => header);
  const head = headers.every((header) => header === '') ? [] : [screen.colours.dim(line(headers))];
  return [...head, ...rows.map(line)].join('\n');
}
