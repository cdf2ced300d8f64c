// The driver process of the natives benchmark: runs one load at a time and returns its measurements.

import { connect } from '@claret/client';
import { createClient } from 'redis';
import { runClosedLoop, type Load, type Span } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { COUNTERS, Operations, checkCounters, keyOf } from './operations.ts';
import type { Mode, Question } from './question.ts';

const WARM_SHARE = 0.4;

/** By server: the adds of each are compared with its counters. */
const drawn: { claret?: Operations; redis?: Operations } = {};

async function claretLoad(mode: 'native' | 'transaction', address: string, operations: Operations): Promise<Load> {
  const claret = await connect({ addresses: [address], name: 'bench', pollMicroseconds: 0 });
  const native: Load['begin'] = (done) => {
    const { key, adds } = operations.next();
    const counter = claret.native.counter(key);
    void (adds ? counter.add(1) : counter.value()).then(done);
  };
  const transaction: Load['begin'] = (done) => {
    const { key, adds } = operations.next();
    const counter = claret.on.counter(key);
    void claret.transact('bench', [adds ? counter.add(1) : counter.value()]).then(done);
  };
  return { begin: mode === 'native' ? native : transaction, close: () => claret.close() };
}

const redisAt = (address: string) => createClient({ url: `redis://${address}` }).connect();

async function redisLoad(address: string, operations: Operations): Promise<Load> {
  const redis = await redisAt(address);
  return {
    begin(done) {
      const { key, adds } = operations.next();
      void (adds ? redis.incrBy(key, 1) : redis.get(key)).then(done);
    },
    close: () => redis.close(),
  };
}

async function checkRedis(address: string, acknowledged: number): Promise<void> {
  const redis = await redisAt(address);
  const values = await redis.mGet(Array.from({ length: COUNTERS }, (_, counter) => keyOf(counter)));
  await redis.close();
  const sum = values.reduce((total, value) => total + Number(value ?? 0), 0);
  if (sum !== acknowledged) throw new Error(`the counters of Redis hold ${sum}, but ${acknowledged} adds were acknowledged`);
}

function loadOf(mode: Mode, address: string, operations: Operations): Promise<Load> {
  return mode === 'redis' ? redisLoad(address, operations) : claretLoad(mode, address, operations);
}

answerParent<Question, Span | null>(async ({ address, pid, mode, checks, seed, inFlight, seconds }) => {
  const operations = (drawn[mode === 'redis' ? 'redis' : 'claret'] ??= new Operations(seed));
  if (checks === true) {
    await (mode === 'redis' ? checkRedis : checkCounters)(address, operations.adds);
    return null;
  }
  const load = await loadOf(mode, address, operations);
  const span = await runClosedLoop(load, { inFlight, seconds, warmSeconds: seconds * WARM_SHARE, serverPids: [pid] });
  await load.close();
  return span;
});
