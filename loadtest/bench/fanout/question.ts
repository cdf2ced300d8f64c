// The fan-out benchmark's requests to its driver processes, and the responses.

/** Numbers of followers of the famous people. */
export const FAMOUS = [10, 1_000, 10_000] as const;

export type Question =
  /** Puts the graph and the famous into the store. */
  | { what: 'load'; scale: number; seed: number }
  /** A famous person posts, one post at a time: as many as possible, or one each `every_ms`. */
  | { what: 'posts'; followers: number; seconds: number; every_ms: number }
  /** Ordinary people look at their timelines, and one in ten posts; each pauses in between. */
  | { what: 'others'; clients: number; think_ms: number; seconds: number; seed: number };

/** Latencies in milliseconds, by kind of transaction. */
export type Answer = Readonly<Record<string, number[]>>;
