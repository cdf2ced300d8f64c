// The lineage of a log: the starts that wrote it, each with its first entry. With it a log recognizes points of its own history, and
// detects a point that it does not contain because it was reset to an older state and has continued since.
//
// Within one start a log only grows, and no later start has the same incarnation. So an incarnation and a position identify one entry.

/** The start with that incarnation wrote the entries after the position `after`, up to those of the next start. */
export type Start = readonly [incarnation: number, after: number];

/** A point in the history of a log: it was durable up to `position` during the start `incarnation`. Position 0: the log existed. */
export interface LogPoint {
  log: string;
  incarnation: number;
  position: number;
}

/** Only the newest starts are kept; points of older ones are assumed to be in the log. */
const STARTS_MAX = 1000;

export function isStarts(value: unknown): value is Start[] {
  return Array.isArray(value) && value.every((start) => Array.isArray(start) && start.length === 2 && start.every(Number.isSafeInteger));
}

export const withStart = (starts: readonly Start[], start: Start): Start[] => [...starts, start].slice(-STARTS_MAX);

/** The starts that remain in a log that was cut after `position`. */
export const startsUpTo = (starts: readonly Start[], position: number): Start[] => starts.filter(([, after]) => after <= position);

/** True if the point is in the history of the log that these starts wrote, and which ends with entry `last`. */
export function hasBeenAt(starts: readonly Start[], last: number, { incarnation, position }: Omit<LogPoint, 'log'>): boolean {
  if (position === 0) return true;
  const index = starts.findLastIndex(([other]) => other === incarnation);
  if (index < 0) return starts.length === STARTS_MAX && incarnation < starts[0]![0];
  return position <= (starts[index + 1]?.[1] ?? last);
}
