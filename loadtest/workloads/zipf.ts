// Zipf: draws ranks 0..n-1, rank r with a probability proportional to 1 / (r + 1)^alpha. Any alpha >= 0.

import { Weighted } from './weighted.ts';

export function zipfWeights(ranks: number, alpha: number): Float64Array {
  return Float64Array.from({ length: ranks }, (_, rank) => (rank + 1) ** -alpha);
}

export class Zipf extends Weighted {
  constructor(ranks: number, alpha: number) {
    super(zipfWeights(ranks, alpha));
  }
}
