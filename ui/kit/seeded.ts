// Deterministic choices for generated pictures: the same text gives the same sequence in every browser.

export interface Seeded {
  /** Next number in [0, 1). */
  next(): number;
  /** Number in [min, max). */
  between(min: number, max: number): number;
  /** Integer in [min, max], both included. */
  integer(min: number, max: number): number;
  /** One element; the list must not be empty. */
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

/** 32-bit FNV-1a of the text's UTF-16 code units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A small generator (SplitMix32) seeded by a text. */
export function seeded(text: string): Seeded {
  let state = hashText(text);
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + next() * (max - min);
  return {
    next,
    between,
    integer: (min, max) => Math.floor(between(min, max + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    chance: (probability) => next() < probability,
  };
}
