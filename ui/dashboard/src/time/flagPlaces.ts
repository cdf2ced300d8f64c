// Where flags stand over the axis, so that each can be read: none covers another, and no pole runs through a label.
//
// A label begins at its pole and reaches to the right. Its pole runs down from it to the axis. So where a label reaches over a
// later pole, that later flag goes into a row below it. Where there is no row left, labels in the way become shorter; and
// where poles stand too close even for icons, the later flag joins the one before it, which says so.

/** What a label shows: all its words, an abbreviation, or its icon alone. */
export type LabelSize = 'full' | 'short' | 'icon';

/** CSS pixels that the label takes in each size. */
export type LabelWidths = Readonly<Record<LabelSize, number>>;

export interface FlagPlace {
  x: number;
  /** 0 is the top one */
  row: number;
  /** how far the label stands to the left of its pole, so as to stay within the axis */
  shift: number;
  size: LabelSize;
  /** flags that have joined this one */
  joined: number;
  /** it has joined the flag before it: its pole alone is shown */
  isJoined: boolean;
}

export const FLAG_ROWS = 3;
const GAP_PX = 4;
const SIZES: readonly LabelSize[] = ['full', 'short', 'icon'];

/** `poles`: from left to right, in CSS pixels; of those outside [0, `width`] nothing is shown. */
export function flagPlaces(poles: readonly number[], widths: readonly LabelWidths[], width: number, rows = FLAG_ROWS): FlagPlace[] {
  const places: FlagPlace[] = [];
  const labelled: number[] = [];
  /** The widest size that fits, none wider than it has now. */
  const shorten = (index: number, room: number) => {
    const sizes = SIZES.slice(SIZES.indexOf(places[index]!.size));
    places[index]!.size = sizes.find((size) => widths[index]![size] <= room) ?? 'icon';
  };
  const end = (index: number) => places[index]!.x - places[index]!.shift + widths[index]![places[index]!.size] + GAP_PX;
  const rowBelow = (inTheWay: readonly number[]) => Math.max(-1, ...inTheWay.map((other) => places[other]!.row)) + 1;

  poles.forEach((x, index) => {
    places.push({ x, row: 0, shift: 0, size: 'full', joined: 0, isJoined: false });
    if (x < 0 || x > width) return;
    const place = places[index]!;
    place.shift = Math.max(0, Math.min(x, x + widths[index]!.full - width));
    const reaching = () => labelled.filter((other) => end(other) > x - place.shift);
    if (rowBelow(reaching()) >= rows) {
      // At its own pole after all, and in the last row: those that are there make room.
      for (const other of reaching().filter((one) => places[one]!.row === rows - 1)) {
        shorten(other, x - GAP_PX - (places[other]!.x - places[other]!.shift));
      }
      shorten(index, width - x);
      place.shift = Math.max(0, Math.min(x, x + widths[index]![place.size] - width));
    }
    const row = rowBelow(reaching());
    if (row >= rows) {
      place.isJoined = true;
      places[labelled.at(-1)!]!.joined += 1;
      return;
    }
    place.row = row;
    labelled.push(index);
  });
  return places;
}
