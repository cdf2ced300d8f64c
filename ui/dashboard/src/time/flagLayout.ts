// The layout of flags over the axis. All are legible: no label covers another, and no pole crosses a label.
//
// A label begins at its pole and extends to the right. The pole runs from the label down to the axis. If a label extends over a
// later pole, the later flag goes into a row below it. If no row is left, the labels in the way become shorter. If poles are too
// close even for icons, the earlier flag joins the later one, which shows the number of joined flags: what has just happened is
// always shown.

/** What a label shows: its full text, an abbreviation, or only its icon. */
export type LabelSize = 'full' | 'short' | 'icon';

/** The width of the label in each size, in CSS pixels. */
export type LabelWidths = Readonly<Record<LabelSize, number>>;

export interface FlagLayout {
  x: number;
  /** 0 is the top row */
  row: number;
  /** how far the label is shifted to the left of its pole, to stay within the axis */
  shift: number;
  size: LabelSize;
  /** number of flags that have joined this one */
  joined: number;
  /** has joined a later flag: only its pole is shown */
  isJoined: boolean;
}

export const FLAG_ROWS = 3;
const GAP_PX = 4;
const SIZES: readonly LabelSize[] = ['full', 'short', 'icon'];

/** `poles`: from left to right, in CSS pixels; flags outside [0, `width`] are not shown. */
export function layOutFlags(poles: readonly number[], widths: readonly LabelWidths[], width: number, rows = FLAG_ROWS): FlagLayout[] {
  const layouts: FlagLayout[] = [];
  const labelled: number[] = [];
  /** Sets the widest size that fits and is not wider than the current one. */
  const shorten = (index: number, room: number) => {
    const sizes = SIZES.slice(SIZES.indexOf(layouts[index]!.size));
    layouts[index]!.size = sizes.find((size) => widths[index]![size] <= room) ?? 'icon';
  };
  const end = (index: number) => layouts[index]!.x - layouts[index]!.shift + widths[index]![layouts[index]!.size] + GAP_PX;
  const join = (index: number, into: FlagLayout) => {
    into.joined += 1 + layouts[index]!.joined;
    Object.assign(layouts[index]!, { joined: 0, isJoined: true });
    labelled.splice(labelled.indexOf(index), 1);
  };
  const rowBelow = (inTheWay: readonly number[]) => Math.max(-1, ...inTheWay.map((other) => layouts[other]!.row)) + 1;

  poles.forEach((x, index) => {
    layouts.push({ x, row: 0, shift: 0, size: 'full', joined: 0, isJoined: false });
    if (x < 0 || x > width) return;
    const layout = layouts[index]!;
    shorten(index, width);
    layout.shift = Math.max(0, Math.min(x, x + widths[index]![layout.size] - width));
    const reaching = () => labelled.filter((other) => end(other) > x - layout.shift);
    if (rowBelow(reaching()) >= rows) {
      // Still at its own pole, in the last row: the labels in that row make room.
      for (const other of reaching().filter((one) => layouts[one]!.row === rows - 1)) {
        shorten(other, x - GAP_PX - (layouts[other]!.x - layouts[other]!.shift));
      }
      shorten(index, width - x);
      layout.shift = Math.max(0, Math.min(x, x + widths[index]![layout.size] - width));
    }
    for (const other of reaching().filter((one) => layouts[one]!.row === rows - 1)) join(other, layout);
    layout.row = rowBelow(reaching());
    labelled.push(index);
  });
  return layouts;
}
