// Plan: the order of measurements. Rounds are outermost, so that drift over minutes affects everything alike. A block is one number of
// shards, one size of transactions and one skew in one round, on a cluster and a driver of its own. Within it the three curves of one
// mix follow each other directly, in another order from one mix and round to the next.

import { CURVES, type Curve } from './curves.ts';
import type { Workload } from './raw.ts';
import type { Settings } from './settings.ts';

/** Cells that are compared with each other. */
export interface Mix extends Workload {
  share: number;
  curves: readonly Curve[];
}

export interface Block {
  shards: number;
  round: number;
  mixes: readonly Mix[];
}

export function planOf({ shards, sizes, alphas, reads, shares, rounds }: Settings): Block[] {
  const curves = CURVES.map(({ curve }) => curve);
  const mixesOf = (workload: Workload, round: number, place: number) =>
    shares.map((share, i): Mix => ({ ...workload, share, curves: rotated(curves, round + place + i) }));
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
    shards.flatMap((count) =>
      sizes.flatMap((size) =>
        alphas.map((alpha): Block => ({
          shards: count,
          round,
          mixes: reads.flatMap((share, place) => mixesOf({ shards: count, size, alpha, reads: share }, round, place)),
        })),
      ),
    ),
  );
}

export const cellsIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { mixes }) => sum + mixes.reduce((cells, { curves }) => cells + curves.length, 0), 0);

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
