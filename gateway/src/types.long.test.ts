// Definitions that cost as much as they can: they are refused, or tried and installed in bounded time, and shards answer meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import { TALLY, renamed } from './testing/definitions.ts';

vi.setConfig({ testTimeout: 300_000 });

/** 32 operations, of which 31 answer this. */
const large = (name: string, answer: unknown) => {
  const definition = JSON.parse(renamed(TALLY, name)) as { operations: [object, object]; commutes: object[] };
  const [add, reached] = definition.operations;
  const answering = Array.from({ length: 31 }, (_, at) => ({ ...reached, name: `op${at}`, answer }));
  return JSON.stringify({ ...definition, commutes: [], operations: [add, ...answering] });
};

test('hostile definitions are refused, or tried and installed in bounded time, and the shard answers meanwhile', async () => {
  const cluster = await startCluster(2);
  const post = async (url: string, payload: object) => {
    const answer = await cluster.gateways[0]!.rest.inject({ method: 'POST', url, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const add = { key: cluster.keyOn(0, 'probe'), type: 'Counter', operation: 'add', arguments: [1] };
  const sum = (left: number): unknown => (left < 2 ? ['read', 0, null, 'value'] : ['+', sum(left >> 1), sum(left - (left >> 1))]);
  const doubled = (left: number): unknown => (left === 0 ? 'xxxxxxxx' : ['concat', doubled(left - 1), doubled(left - 1)]);
  const hostile = [
    { definition: TALLY.replace('["answer",1]', `${'['.repeat(30_000)}1${']'.repeat(30_000)}`), answers: ['invalid_definition'] },
    { definition: renamed(TALLY, 'Huge').replace('["answer",1]', `["=","${'x'.repeat(60_000)}",""]`), answers: ['Huge'] },
    { definition: large('Doubled', ['<=', 0, ['length', doubled(6)]]), answers: ['Doubled', 'type_untried'] },
    { definition: large('Summed', ['<=', 0, sum(24)]), answers: ['Summed', 'type_untried'] },
  ];
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
  for (const { definition, answers } of hostile) {
    const { body } = await post('/v1/types', { definition });
    expect(answers, body.detail).toContain(body.code ?? body.type.name);
  }
  isOver = true;
  await probe;
  expect(slowestMs).toBeLessThan(1_000);
  await cluster.close();
});
