// How much of a time that a shard has promised the client can rely on: the rates of their clocks differ by less than a hundredth.

const SHARE = 0.99;
const READING_MS = 1;

export const promisedMs = (ms: number): number => SHARE * ms - READING_MS;
