// Definitions that cost as much as they can, and a shard that has to answer meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestCluster } from './cluster.ts';
import { TALLY, renamed } from './definitions.ts';

/** 32 operations, of which 31 answer this. */
function large(name: string, answer: unknown): string {
  const definition = JSON.parse(renamed(TALLY, name)) as { operations: [object, object]; commutes: object[] };
  const [add, reached] = definition.operations;
  const answering = Array.from({ length: 31 }, (_, at) => ({ ...reached, name: `op${at}`, answer }));
  return JSON.stringify({ ...definition, commutes: [], operations: [add, ...answering] });
}

const sum = (left: number): unknown => (left < 2 ? ['read', 0, null, 'value'] : ['+', sum(left >> 1), sum(left - (left >> 1))]);
const doubled = (left: number): unknown => (left === 0 ? 'xxxxxxxx' : ['concat', doubled(left - 1), doubled(left - 1)]);

export interface Hostile {
  definition: string;
  /** the name of the type, or codes that refuse it */
  answers: string[];
}

export const DEEP: Hostile = {
  definition: TALLY.replace('["answer",1]', `${'['.repeat(30_000)}1${']'.repeat(30_000)}`),
  answers: ['invalid_definition'],
};
export const HUGE: Hostile = {
  definition: renamed(TALLY, 'Huge').replace('["answer",1]', `["=","${'x'.repeat(60_000)}",""]`),
  answers: ['Huge'],
};
export const DOUBLED: Hostile = {
  definition: large('Doubled', ['<=', 0, ['length', doubled(6)]]),
  answers: ['Doubled', 'type_untried'],
};
export const SUMMED: Hostile = { definition: large('Summed', ['<=', 0, sum(24)]), answers: ['Summed', 'type_untried'] };

/** One operation, `reached`, that answers this. */
const answering = (name: string, answer: unknown): string => {
  const definition = JSON.parse(renamed(TALLY, name)) as { operations: [object, object]; commutes: object[] };
  const [add, reached] = definition.operations;
  return JSON.stringify({ ...definition, commutes: [], operations: [add, { ...reached, answer }] });
};
const counted = (depth: number): unknown => (depth === 0 ? 1 : ['fold', 2 * depth, 2 * depth + 1, ['range', 1_000], 0, counted(depth - 1)]);
/** Loops within loops: 10^15 rounds. */
export const SPINNING: Hostile = { definition: answering('Spinning', ['<', 0, counted(5)]), answers: ['Spinning'] };
const grown = ['fold', 0, 1, ['range', 50], ['list', 'x'.repeat(100)], ['join', ['local', 0], ['local', 0]]];
/** A list that is doubled 50 times. */
export const BLOATING: Hostile = { definition: answering('Bloating', ['<', 0, ['length', grown]]), answers: ['Bloating'] };

/** Sends them one after the other to `path`. Resolves with how long the slowest of many transactions at shard 0 has taken meanwhile, ms. */
export async function sendAll(cluster: TestCluster, hostile: readonly Hostile[], path: string, options: object = {}): Promise<number> {
  const post = async (url: string, payload: object) => {
    const answer = await cluster.gateways[0]!.rest.inject({ method: 'POST', url, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const add = { key: cluster.keyOn(0, 'probe'), type: 'Counter', operation: 'add', arguments: [1] };
  let slowestMs = 0;
  let isOver = false;
  const probe = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      expect((await post('/v1/transactions', { operations: [add] })).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      await pause(5);
    }
  })();
  try {
    for (const { definition, answers } of hostile) {
      const { body } = await post(path, { definition, ...options });
      expect(answers, body.detail).toContain(body.code ?? body.name ?? body.type.name);
    }
  } finally {
    isOver = true;
    await probe;
  }
  return slowestMs;
}
