// The cost of one insertion, from the memory at several numbers of insertions.

export interface Level {
  insertions: number;
  bytes: number;
}

/** Bytes per insertion, by least squares. REQUIRES: at least two different numbers of insertions. */
export function slopeOf(levels: readonly Level[]): number {
  const mean = (of: (level: Level) => number) => levels.reduce((sum, level) => sum + of(level), 0) / levels.length;
  const [middle, height] = [mean(({ insertions }) => insertions), mean(({ bytes }) => bytes)];
  const spread = levels.reduce((sum, { insertions }) => sum + (insertions - middle) ** 2, 0);
  return levels.reduce((sum, { insertions, bytes }) => sum + (insertions - middle) * (bytes - height), 0) / spread;
}
