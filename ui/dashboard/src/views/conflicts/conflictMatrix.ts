// Conflicts by pair of transaction labels: a row for each holder, a column for each blocked newcomer. A conflict is an operation
// that could not be let in at once. It is attributed to the first operation in its way, which held the record or was ahead in the
// queue. Natives are a label of their own; as newcomers they may also break the holder. A member of a chain that was executed again counts as
// a newcomer too: its holder is the member that was taken out below it.
//
// A limited number of labels is shown; the rest is counted as others. The shown labels change as little as possible and are sorted
// by name, so that rows do not move while they are read.
import { NATIVE, WARRANTY } from '@claret/client/telemetry';
import type { ConflictRow } from '../../store/telemetryStore.ts';

export const LABELS_SHOWN = 8;
/** A newcomer replaces a shown label only if it has this many times as many conflicts. */
const TAKES_OVER = 2;
/** the core's own row for labels beyond its limit */
const CORE_OTHERS = '(other)';

/** A shown label; null: all others. */
export type ShownLabel = string | null;

export interface ConflictMatrix {
  /** at most LABELS_SHOWN, and null at the end if there are others */
  labels: readonly ShownLabel[];
  /** counts[holder][comer], by index in `labels` */
  counts: readonly (readonly number[])[];
  /** those in which a native broke the holder; by index, like `counts`, of which they are a part */
  broke: readonly (readonly number[])[];
  /** those in which the newcomer was executed again; by index, like `counts`, of which they are a part */
  again: readonly (readonly number[])[];
  total: number;
}

/** The number of conflicts in which each label takes part; a conflict of a label with itself counts once. */
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

/** The labels to show, sorted by name: chosen from those shown so far and those with the most conflicts. */
export function labelsToShow(rows: readonly ConflictRow[], before: readonly string[] = [], most = LABELS_SHOWN): string[] {
  const counts = involvement(rows);
  const weight = (label: string) => counts.get(label)! * (before.includes(label) ? TAKES_OVER : 1);
  const ranked = [...counts.keys()].sort((a, b) => weight(b) - weight(a) || byName(a, b));
  return ranked.slice(0, most).sort(byName);
}

const square = (size: number) => Array.from({ length: size }, () => new Array<number>(size).fill(0));

/** `withOthers`: adds the row for others even if it is empty, to stand beside a matrix that has one. */
export function conflictMatrix(rows: readonly ConflictRow[], shown: readonly string[], withOthers = false): ConflictMatrix {
  const places = new Map(shown.map((label, place) => [label, place]));
  const others = shown.length;
  const placeOf = (label: string) => places.get(label) ?? others;
  const [counts, broke, again] = [square(others + 1), square(others + 1), square(others + 1)];
  let total = 0;
  let hasOthers = withOthers;
  for (const { holderLabel, comerLabel, outcome, count } of rows) {
    const [holder, comer] = [placeOf(holderLabel), placeOf(comerLabel)];
    counts[holder]![comer]! += count;
    if (outcome === 'broke') broke[holder]![comer]! += count;
    if (outcome === 'again') again[holder]![comer]! += count;
    total += count;
    hasOthers ||= holder === others || comer === others;
  }
  if (hasOthers) return { labels: [...shown, null], counts, broke, again, total };
  const shownOnly = (cells: readonly number[][]) => cells.slice(0, others).map((row) => row.slice(0, others));
  return { labels: shown, counts: shownOnly(counts), broke: shownOnly(broke), again: shownOnly(again), total };
}

/** The greatest cell; 0 for an empty matrix. */
export function greatestCount({ counts }: ConflictMatrix): number {
  return counts.reduce((greatest, row) => row.reduce((most, count) => Math.max(most, count), greatest), 0);
}

/** One cell: the holder and the blocked newcomer. */
export interface Pair {
  holder: ShownLabel;
  comer: ShownLabel;
}

/** Whether two labels belong to a cell, given the labels with rows of their own. */
export function inPair({ holder, comer }: Pair, shown: readonly string[], holderLabel: string, comerLabel: string): boolean {
  const belongs = (label: string, place: ShownLabel) => (place === null ? !shown.includes(label) : label === place);
  return belongs(holderLabel, holder) && belongs(comerLabel, comer);
}

/** The rows that make up a cell, most frequent first. */
export function rowsOfPair(rows: readonly ConflictRow[], pair: Pair, shown: readonly string[]): ConflictRow[] {
  return rows.filter((row) => inPair(pair, shown, row.holderLabel, row.comerLabel)).sort((a, b) => b.count - a.count);
}

export const isNative = (label: ShownLabel): boolean => label === NATIVE;

/** "Bid blocks ViewAuction"; "natives meet Bid", since natives break some holders and wait for others. */
export function pairWords({ holder, comer }: Pair): string {
  if (isNative(comer)) return `Natives meet ${labelWords(holder)}`;
  if (holder === WARRANTY) return `Warranties delay ${labelWords(comer)}`;
  return isNative(holder) ? `Waiting natives keep ${labelWords(comer)} out` : `${labelWords(holder)} blocks ${labelWords(comer)}`;
}

/** The core's table includes transactions without a label. */
export function labelWords(label: ShownLabel): string {
  if (label === null || label === CORE_OTHERS) return 'others';
  return label === '' ? '(no label)' : label;
}
