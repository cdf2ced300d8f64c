// Counters: totals since the client was made.

export interface Counters {
  commits: number;
  /** transactions with an id that had committed before, and whose answer was given again */
  replays: number;
  /** attempts that were followed by another */
  retries: number;
  /** attempts that ended without a commit */
  aborts: number;
  /** operations issued */
  operations: number;
  /** native operations issued, and those of them that failed */
  natives: number;
  nativesFailed: number;
  /** natives sent again, since the session in which they were sent was lost before they were executed */
  nativesResent: number;
  /** operations that were answered or resolved by an operation of another transaction */
  combined: number;
  /** combined operations that were never sent */
  neverSent: number;
  /** notices that an older transaction waits for one of this client */
  wounds: number;
  /** requests that met a lock while phasing was off, and were sent again */
  denials: number;
  /** transactions refused at once, since a shard was further behind than they had time */
  refused: number;
  /** sessions that broke */
  sessionsLost: number;
  /** frames and bytes sent */
  frames: number;
  bytes: number;
  framesIn: number;
  bytesIn: number;
  /** time spent polling for frames while none arrived */
  polledMs: number;
}

export const newCounters = (): Counters => ({
  commits: 0,
  replays: 0,
  retries: 0,
  aborts: 0,
  operations: 0,
  natives: 0,
  nativesFailed: 0,
  nativesResent: 0,
  combined: 0,
  neverSent: 0,
  wounds: 0,
  denials: 0,
  refused: 0,
  sessionsLost: 0,
  frames: 0,
  bytes: 0,
  framesIn: 0,
  bytesIn: 0,
  polledMs: 0,
});
