// Every model against the real core: the models must explain the history of random one-shot transactions.

import { describe, expect, it } from 'vitest';
import { operationSpecs, type HistoryAttempt } from '@claret/client';
import { freshSeed, inProcessCluster } from '@claret/client/testing';
import { Chance } from '../../kit/random.ts';
import { committedOf } from './committed.ts';
import { compareTexts } from './model.ts';
import { changes, models } from './models/index.ts';
import { replay } from './replay.ts';
import { drawnOperations, randomCall } from './testing-calls.ts';

// The operations of records (Record.delete, …) have no models yet: no workload uses them.
const specs = new Map([...operationSpecs].filter(([name]) => !name.startsWith('Record.')));
const names = [...specs.keys()];
const types = [...new Set(names.map((name) => name.split('.')[0]!))];

async function historyOf(type: string, seed: number, transactions: number): Promise<HistoryAttempt[]> {
  const random = new Chance(seed);
  const history: HistoryAttempt[] = [];
  const cluster = await inProcessCluster();
  const claret = await cluster.connect({ history: (attempt) => void history.push(attempt) });
  const operations = names.filter((name) => name.startsWith(`${type}.`));
  for (let i = 0; i < transactions; i++) {
    const calls = Array.from({ length: 1 + random.below(4) }, () => randomCall(random, operations, 2, true));
    const described = calls.map(({ key, name, args }) => claret.describe(key, name, args));
    // Refused operations leave no trace, which later transactions would show.
    await claret.transact('Random', described).catch(() => {});
  }
  await cluster.stop();
  return history;
}

describe('the models', () => {
  it('cover every operation of the catalogue, and whether it changes something', () => {
    expect(names.filter((name) => !drawnOperations.includes(name))).toEqual([]);
    expect(types.filter((type) => !models.has(type))).toEqual([]);
    for (const [name, { operationClass }] of specs) {
      const [type, op] = name.split('.') as [string, string];
      // `next` leaves no observable state.
      expect(changes(type, op), name).toBe(operationClass !== 'observe' && name !== 'UIdGenerator.next');
    }
  });

  it('order texts by bytes', () => {
    const texts = ['', 'a', 'aa', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '😀a', '\u{10ffff}'];
    const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...texts].reverse().sort(compareTexts)).toEqual(byBytes);
  });

  it.each(types)('give the results of the core: %s', async (type) => {
    const seed = freshSeed();
    const history = await historyOf(type, seed, 600);
    const committed = history.filter(({ outcome }) => outcome === 'ok').map((attempt) => committedOf(attempt, attempt.order!, new Set()));
    expect(
      replay(committed, () => {}),
      `SEED=${seed}`,
    ).toEqual([]);
    expect(committed.length, `SEED=${seed}`).toBeGreaterThan(100);
  });
});
