// Every model against the real core: the models must explain the history of random one-shot transactions.

import { describe, expect, it } from 'vitest';
import { operationSpecs, type HistoryAttempt } from '@claret/client';
import { freshSeed, inProcessCluster } from '@claret/client/testing';
import { Chance } from '../../kit/random.ts';
import { committedOf } from './committed.ts';
import { compareTexts } from './model.ts';
import { changes, models, VACANT_IF_EMPTY } from './models/index.ts';
import { typed } from './redis.ts';
import { replay } from './replay.ts';
import { drawnOperations, randomCall } from './testing-calls.ts';

// The operations of records (Record.delete, …) belong to no type: the models have them for records that are there unless they are empty.
const specs = new Map([...operationSpecs].filter(([name]) => !name.startsWith('Record.')));
const names = [...specs.keys()];
const types = [...new Set(names.map((name) => name.split('.')[0]!))];

const OF_RECORDS = ['delete', 'exists', 'type'];

async function historyOf(type: string, seed: number, transactions: number, deletes = false): Promise<HistoryAttempt[]> {
  const random = new Chance(seed);
  const history: HistoryAttempt[] = [];
  const cluster = await inProcessCluster();
  const claret = await cluster.connect({ history: (attempt) => void history.push(attempt) });
  const operations = names.filter((name) => name.startsWith(`${type}.`));
  for (let i = 0; i < transactions; i++) {
    const calls = Array.from({ length: deletes ? 1 : 1 + random.below(4) }, () => randomCall(random, operations, 2, true));
    const described = calls.map(({ key, name, args }) => {
      const ofRecord = deletes && random.happens(0.3);
      return ofRecord ? claret.describe(key, `Record.${random.pick(OF_RECORDS)}`, []) : claret.describe(key, name, args);
    });
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

  it.each(VACANT_IF_EMPTY)('delete records as the core does, and know which are there: %s', async (type) => {
    const seed = freshSeed();
    const history = (await historyOf(type, seed, 400, true)).filter(({ outcome }) => outcome === 'ok');
    const types = new Map(history.flatMap(({ ops }) => ops.map(({ key }) => [key, type] as const)));
    const committed = history.map((attempt) => committedOf({ ...attempt, ops: typed(attempt.ops, types) }, attempt.order!, new Set()));
    expect(
      replay(committed, () => {}),
      `SEED=${seed}`,
    ).toEqual([]);
    const deleted = history.filter(({ ops }) => ops.some(({ op, result }) => op === 'delete' && result === true));
    expect(deleted.length, `SEED=${seed}`).toBeGreaterThan(5);
  });
});
