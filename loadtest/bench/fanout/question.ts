// The questions that the fan-out benchmark asks its driver processes, and the answers.

/** Followers of the people made by hand. */
export const FAMOUS = [10, 1_000, 10_000] as const;

export type Question =
  /** Puts the graph and the famous into the store. */
  | { what: 'load'; scale: number; seed: number }
  /** A famous person posts, one post at a time: as many as there is time for, or one each `every_ms`. */
  | { what: 'posts'; followers: number; seconds: number; every_ms: number }
  /** Ordinary people look at their timelines, and one in ten posts; each thinks for a while in between. */
  | { what: 'others'; clients: number; think_ms: number; seconds: number; seed: number };

/** Milliseconds that each took, by what it was. */
export type Answer = Readonly<Record<string, number[]>>;
