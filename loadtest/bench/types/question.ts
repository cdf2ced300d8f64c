// The requests of the types benchmark to its driver process.

/** What is done to the hot record. The first three are composed of built-in types; the others' code goes over values of their own. */
export const SUBJECTS = ['SeatMap.reserve', 'RateLimiter.allow', 'Leaderboard.score', 'TenBest.add', 'OrderBook.trade'] as const;
export type Subject = (typeof SUBJECTS)[number];
export const ON_VALUES: ReadonlySet<Subject> = new Set<Subject>(['TenBest.add', 'OrderBook.trade']);

/**
 * native    the type's operation, outside any transaction
 * one-shot  the type's operation, as a transaction of one operation in one message
 * by hand   an interactive transaction over records of built-in types that does the same
 * built-in  the nearest single operation of a built-in type, outside any transaction. It does less: the yardstick of CPU time
 */
export const WAYS = ['native', 'one-shot', 'by hand', 'built-in'] as const;
export type Way = (typeof WAYS)[number];

export interface Question {
  /** host:port of the gateway's gRPC */
  address: string;
  pid: number;
  subject: Subject;
  way: Way;
  /** names records that no other cell uses */
  cell: string;
  seed: number;
  inFlight: number;
  seconds: number;
}
