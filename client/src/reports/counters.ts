// Counters: totals since the client was made.

export interface Counters {
  commits: number;
  /** of these, members of epochs */
  epochCommits: number;
  /** attempts that no epoch has taken in time */
  epochsMissed: number;
  /** transactions with an id that had committed before, and whose answer was given again */
  replays: number;
  /** attempts that were followed by another */
  retries: number;
  /** attempts that ended without a commit */
  aborts: number;
  /** operations answered from memory, transactions that committed without a message, and warranties granted and recalled */
  warrantedAnswers: number;
  warrantedCommits: number;
  grants: number;
  grantsRecalled: number;
  /** operations issued */
  operations: number;
  /** native operations issued, and those of them that failed */
  natives: number;
  nativesFailed: number;
  /** natives sent again, since the session in which they were sent was lost before they were executed */
  nativesResent: number;
  /** operations that snapshot transactions read, and snapshots that were taken again at a later time, since a shard might have missed something */
  snapshotReads: number;
  snapshotsMoved: number;
  /** transactions and looks sent whole, each time they were sent */
  members: number;
  /** bodies that ran again on the results of their member */
  secondRuns: number;
  /** members whose body then made other operations than in the forecast */
  outs: number;
  /** forecasts that began anew with a newer picture */
  begunAnew: number;
  /** members that met a lock, or lost what they stood on */
  membersDenied: number;
  chainsBroken: number;
  /** members of several shards that prepared together, and how many members there were */
  batches: number;
  batchMembers: number;
  batchesAborted: number;
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
  epochCommits: 0,
  epochsMissed: 0,
  replays: 0,
  retries: 0,
  aborts: 0,
  warrantedAnswers: 0,
  warrantedCommits: 0,
  grants: 0,
  grantsRecalled: 0,
  operations: 0,
  natives: 0,
  nativesFailed: 0,
  nativesResent: 0,
  snapshotReads: 0,
  snapshotsMoved: 0,
  members: 0,
  secondRuns: 0,
  outs: 0,
  begunAnew: 0,
  membersDenied: 0,
  chainsBroken: 0,
  batches: 0,
  batchMembers: 0,
  batchesAborted: 0,
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
