// Conflicts by pair of transaction labels: a row for each holder, a column for each blocked newcomer. A conflict is an operation that could not be
// let in at once; it counts for the first operation that was in its way, which held the record or waited in front.
//
// Only so many labels are shown; the rest stands together as others. The shown ones change as little as they can, and stand
// in the order of their names, so that nothing moves that somebody reads.
import type { ConflictRow } from '../../store/telemetryStore.ts';

export const LABELS_SHOWN = 8;
/** A newcomer takes the place of a label that is shown only when it has so many times as many conflicts. */
const TAKES_OVER = 2;
/** the core's own row for labels beyond its bound */
const CORE_OTHERS = '(other)';

/** A label that is shown; null: all others. */
export type ShownLabel = string | null;

export interface ConflictMatrix {
  /** at most LABELS_SHOWN, and null at the end where there are others */
  labels: readonly ShownLabel[];
  /** counts[holder][comer], by places in `labels` */
  counts: readonly (readonly number[])[];
  total: number;
}

/** How many conflicts each label has a part in; one with itself counts once. */
function involvement(rows: readonly ConflictRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (label: string, count: number) => {
    if (label !== CORE_OTHERS) counts.set(label, (counts.get(label) ?? 0) + count);
  };
  for (const { holderLabel, comerLabel, count } of rows) {
    add(holderLabel, count);
    if (comerLabel !== holderLabel) add(comerLabel, count);
  }
  return counts;
}

const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The labels to show by name, of those shown so far and those with the most conflicts. */
export function labelsToShow(rows: readonly ConflictRow[], before: readonly string[] = [], most = LABELS_SHOWN): string[] {
  const counts = involvement(rows);
  const weight = (label: string) => counts.get(label)! * (before.includes(label) ? TAKES_OVER : 1);
  const ranked = [...counts.keys()].sort((a, b) => weight(b) - weight(a) || byName(a, b));
  return ranked.slice(0, most).sort(byName);
}

/** `withOthers`: also where there are none, to stand beside a matrix that has some. */
export function conflictMatrix(rows: readonly ConflictRow[], shown: readonly string[], withOthers = false): ConflictMatrix {
  const places = new Map(shown.map((label, place) => [label, place]));
  const others = shown.length;
  const placeOf = (label: string) => places.get(label) ?? others;
  const counts = Array.from({ length: others + 1 }, () => new Array<number>(others + 1).fill(0));
  let total = 0;
  let hasOthers = withOthers;
  for (const { holderLabel, comerLabel, count } of rows) {
    const [holder, comer] = [placeOf(holderLabel), placeOf(comerLabel)];
    counts[holder]![comer]! += count;
    total += count;
    hasOthers ||= holder === others || comer === others;
  }
  if (hasOthers) return { labels: [...shown, null], counts, total };
  return { labels: shown, counts: counts.slice(0, others).map((row) => row.slice(0, others)), total };
}

/** The greatest cell; 0 of an empty matrix. */
export function greatestCount({ counts }: ConflictMatrix): number {
  return counts.reduce((greatest, row) => row.reduce((most, count) => Math.max(most, count), greatest), 0);
}

/** One cell: the holder and the blocked newcomer. */
export interface Pair {
  holder: ShownLabel;
  comer: ShownLabel;
}

/** Whether labels belong to a cell, given the labels that have rows of their own. */
export function inPair({ holder, comer }: Pair, shown: readonly string[], holderLabel: string, comerLabel: string): boolean {
  const belongs = (label: string, place: ShownLabel) => (place === null ? !shown.includes(label) : label === place);
  return belongs(holderLabel, holder) && belongs(comerLabel, comer);
}

/** What makes up a cell, most frequent first. */
export function rowsOfPair(rows: readonly ConflictRow[], pair: Pair, shown: readonly string[]): ConflictRow[] {
  return rows.filter((row) => inPair(pair, shown, row.holderLabel, row.comerLabel)).sort((a, b) => b.count - a.count);
}

/** The core's table knows transactions without a label too. */
export function labelWords(label: ShownLabel): string {
  if (label === null || label === CORE_OTHERS) return 'others';
  return label === '' ? '(no label)' : label;
}
