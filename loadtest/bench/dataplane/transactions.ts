// Transactions of a given shape on a cluster of two shards, to measure the cost of a transaction's end. Every key is either only
// read or only added to, so no transaction waits: only the protocol is measured.

import { connect, type Description } from '@claret/client';
import type { Load } from '../../kit/closed-loop.ts';
import { randomFrom } from '../../kit/random.ts';
import { COUNTERS, keyOf } from './operations.ts';

export const SHARDS = 2;
const DRAWN = 1 << 14;

export interface Shape {
  /** half of the operations are adds; 0: a transaction that sends nothing */
  operations: number;
  /** 1: all operations on one shard, which alternates by transaction; 2: half of the operations on each */
  participants: 1 | 2;
}

export async function transactionLoad(addresses: string[], shape: Shape, seed: number): Promise<Load> {
  const claret = await connect({ addresses, name: 'bench' });
  const random = randomFrom(seed);
  const keys: string[][] = Array.from({ length: SHARDS }, () => []);
  for (let counter = 0; counter < COUNTERS; counter++) keys[claret.topology.shardOf(keyOf(counter))]!.push(keyOf(counter));
  const draw = (shard: number, adds: boolean): Description<unknown> => {
    const own = keys[shard]!;
    const half = own.length >> 1;
    const key = own[Math.floor(random() * half) + (adds ? half : 0)]!;
    return adds ? claret.on.counter(key).add(1) : claret.on.counter(key).value();
  };
  const drawn = Array.from({ length: DRAWN }, (_, number) =>
    Array.from({ length: shape.operations }, (_, i) => {
      const shard = shape.participants === 1 ? number % SHARDS : ((i * shape.participants) / shape.operations) | 0;
      return draw(shard, i % 2 === 0);
    }),
  );
  let next = 0;
  let underWay = 0;
  let finished: (() => void)[] = [];
  const burst = () => {
    const ended = finished;
    finished = [];
    for (const done of ended) done();
  };
  return {
    // Finished transactions wait for the last one, and the next ones begin in one turn: frames are full, whatever the shape.
    begin(done) {
      underWay++;
      void claret.transact('bench', drawn[next++ & (DRAWN - 1)]!).then(() => {
        finished.push(done);
        if (--underWay === 0) setImmediate(burst);
      });
    },
    close: () => claret.close(),
  };
}
