// Whether transactions that have committed are in an order that their timestamps and the time of the world agree with.

/** A transaction that has committed, with the times of the world. */
export interface Done {
  readonly label: string;
  readonly begunMs: number;
  readonly endedMs: number;
  readonly at: bigint;
  readonly reads: readonly [key: string, value: number][];
  readonly adds: readonly string[];
}

const changes = ({ adds }: Done, key: string): boolean => adds.includes(key);
const touches = (one: Done, key: string): boolean => changes(one, key) || one.reads.some(([read]) => read === key);

/** Each result follows from the commits with smaller timestamps. Throws an Error if not. */
export function expectOrderOfTimestamps(done: readonly Done[]): void {
  const values = new Map<string, number>();
  for (const one of done.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.adds.length - b.adds.length))) {
    for (const [key, value] of one.reads) {
      const right = values.get(key) ?? 0;
      if (value !== right) throw new Error(`${one.label} at ${one.at} reads ${value} in ${key}, which is ${right} then`);
    }
    for (const key of one.adds) values.set(key, (values.get(key) ?? 0) + 1);
  }
}

/** What was acknowledged before another one began, and does not commute with it, has a smaller timestamp. */
export function expectRealTime(done: readonly Done[], keys: readonly string[]): void {
  for (const key of keys) {
    const there = done.filter((one) => touches(one, key));
    for (const later of there) {
      for (const earlier of there) {
        if (earlier.endedMs >= later.begunMs) continue;
        // Additions commute.
        const conflict =
          changes(earlier, key) !== changes(later, key) || (changes(earlier, key) && earlier.reads.some(([read]) => read === key));
        if (conflict && earlier.at >= later.at) {
          throw new Error(`${key}: ${later.label} at ${later.at} began after the end of ${earlier.label} at ${earlier.at}`);
        }
      }
    }
  }
}
