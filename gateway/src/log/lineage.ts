// Which starts wrote a log, and from which entry on: so that a log knows any moment of its own past, and can tell one that it
// does not have, because it was put back to an older state and has gone on since.
//
// Within one start a log only grows, and no later start has the same incarnation. So an incarnation and a position name one entry of one past.

/** The start of that incarnation wrote the entries after that position, up to those of the next start. */
export type Start = readonly [incarnation: number, after: number];

/** A moment in the life of a log: it was durable up to that position while that start ran. Position 0: it was there. */
export interface LogPlace {
  log: string;
  incarnation: number;
  position: number;
}

/** Only the newest starts are kept. An older one is taken on trust. */
const STARTS_MAX = 1000;

export function isStarts(value: unknown): value is Start[] {
  return Array.isArray(value) && value.every((start) => Array.isArray(start) && start.length === 2 && start.every(Number.isSafeInteger));
}

export const withStart = (starts: readonly Start[], start: Start): Start[] => [...starts, start].slice(-STARTS_MAX);

/** What is left of them in a log that was cut behind that position. */
export const startsUpTo = (starts: readonly Start[], position: number): Start[] => starts.filter(([, after]) => after <= position);

/** Whether a log that these starts wrote, and which ends with entry `last`, has been there. */
export function hasBeenAt(starts: readonly Start[], last: number, { incarnation, position }: Omit<LogPlace, 'log'>): boolean {
  if (position === 0) return true;
  const index = starts.findLastIndex(([other]) => other === incarnation);
  if (index < 0) return starts.length === STARTS_MAX && incarnation < starts[0]![0];
  return position <= (starts[index + 1]?.[1] ?? last);
}
