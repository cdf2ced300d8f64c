// Random: seeded random numbers for tests. The same seed gives the same test.

export interface Random {
  /** uniform in [0, 1) */
  next(): number;
  /** 0 <= integer < bound */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  text(unitsMax: number): string;
}

/** The seed from the environment variable SEED, or a new one. A test prints the seed that it uses. */
export function freshSeed(): number {
  return process.env['SEED'] === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env['SEED']);
}

// mulberry32: 32 bits of state, good enough to draw test cases.
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  const alphabet = [...'abcdefghij0123456789{}:_ éß漢字😀'];
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  return {
    next,
    below,
    pick,
    text: (unitsMax) => Array.from({ length: below(unitsMax + 1) }, () => pick(alphabet)).join(''),
  };
}
