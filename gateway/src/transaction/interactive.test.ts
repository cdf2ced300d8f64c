// Interactive transactions over REST, on two real gateways.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { interactiveCountMax: 5, idleMs: 100 });
});
afterAll(() => cluster.close());

const inject = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, gateway = 0) =>
  cluster.gateways[gateway]!.rest.inject({ method, url, ...(payload && { payload }) });
const BASE = '/v1/transactions/interactive';
const begin = async (body: object = {}): Promise<string> => (await inject('POST', BASE, body)).json().id;
const run = (id: string, ...operations: object[]) => inject('POST', `${BASE}/${id}/operations`, { operations });
const commit = (id: string) => inject('POST', `${BASE}/${id}/commit`);
const abort = (id: string) => inject('DELETE', `${BASE}/${id}`);
const add = (key: string, n: number) => ({ key, type: 'counter', operation: 'add', arguments: [n] });
const value = (key: string) => ({ key, type: 'counter', operation: 'value', arguments: [] });
const counterAt = async (key: string) => (await inject('GET', `/v1/records/${key}?type=counter&operation=value`)).json().value;
async function allQuiet(): Promise<void> {
  await expect.poll(() => cluster.gateways.map(({ host }) => host.counters().attemptsInFlight), { interval: 5 }).toEqual([0, 0]);
}

test('operations over several requests commit together, across shards', async () => {
  const [here, there] = [cluster.keyOn(0, 'commit'), cluster.keyOn(1, 'commit')];
  const id = await begin({ label: 'Talk', expires_in_ms: 60_000 });
  expect((await run(id, value(here), add(here, 5))).json()).toEqual({ results: [0, null] });
  expect((await run(id, add(there, 7))).json()).toEqual({ results: [null] });
  const ended = await commit(id);
  expect([ended.statusCode, ended.json()]).toEqual([200, { committed_at: expect.stringMatching(/^\d+$/), retries: 0 }]);
  expect([await counterAt(here), await counterAt(there)]).toEqual([5, 7]);
  await allQuiet();
});

test('an aborted transaction leaves no effect and no lock', async () => {
  const key = cluster.keyOn(1, 'abort');
  const id = await begin();
  await run(id, add(key, 5), value(key));
  expect((await abort(id)).statusCode).toBe(204);
  expect(await counterAt(key)).toBe(0);
  await allQuiet();
});

test('an expired transaction is aborted, and its lock is released', async () => {
  const key = cluster.keyOn(0, 'expiry');
  const begun = await inject('POST', BASE, { expires_in_ms: 100 });
  const { id, expires_at } = begun.json() as { id: string; expires_at: string };
  expect(begun.statusCode).toBe(201);
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(100);
  await run(id, add(key, 5));
  const reader = await begin();
  expect((await run(reader, value(key))).json().results, 'waits for the lock, which only the expiry releases').toEqual([0]);
  expect((await commit(reader)).statusCode).toBe(200);
  const late = await commit(id);
  expect([late.statusCode, late.json().code]).toEqual([404, 'unknown_transaction']);
  await allQuiet();
});

test('an ended or unknown transaction is a 404 that says whether it may have committed', async () => {
  const id = await begin();
  expect((await commit(id)).statusCode).toBe(200);
  for (const answer of [await abort(id), await run(id, add('a', 1)), await commit('nobody-knows'), await commit('__proto__')]) {
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'unknown_transaction', commit_state: 'unknown' }]);
  }
  const aborted = await begin();
  await abort(aborted);
  for (const answer of [await commit(aborted), await abort(aborted)]) {
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'unknown_transaction', commit_state: 'none' }]);
  }
});

test('a repeated commit, at once or later, gets the same answer and is applied once', async () => {
  const key = cluster.keyOn(1, 'again');
  const id = await begin();
  await run(id, add(key, 5));
  const answers = [...(await Promise.all([commit(id), commit(id)])), await commit(id)];
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(answers[0]!.statusCode).toBe(200);
  expect(await counterAt(key)).toBe(5);
  // The oldest outcomes are dropped.
  for (let i = 0; i < 5; i++) await abort(await begin());
  expect((await commit(id)).statusCode).toBe(404);
});

test("another gateway does not know this one's transactions, and says that ids belong to one", async () => {
  const id = await begin();
  const answer = await inject('POST', `${BASE}/${id}/commit`, undefined, 1);
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'unknown_transaction']);
  expect(answer.json().detail).toContain('or another gateway began it: only that one knows the id');
  expect((await abort(id)).statusCode).toBe(204);
});

test('a refused operation ends the transaction and releases its locks', async () => {
  const key = cluster.keyOn(0, 'refused');
  const id = await begin();
  await run(id, add(key, 5));
  const refused = await run(id, { key, type: 'set', operation: 'size', arguments: [] });
  expect([refused.statusCode, refused.json().code, refused.json().key]).toEqual([409, 'wrong_type', key]);
  expect((await commit(id)).statusCode).toBe(404);
  await allQuiet();
});

test('an invalid body leaves the transaction unchanged', async () => {
  const key = cluster.keyOn(0, 'still-open');
  const id = await begin();
  await run(id, add(key, 5));
  expect((await inject('POST', `${BASE}/${id}/operations`, { operations: 'none' })).json().code).toBe('invalid_request');
  expect((await commit(id)).statusCode).toBe(200);
  expect(await counterAt(key)).toBe(5);
});

test('the loser of a conflict gets a retryable 409; the winner commits', async () => {
  const key = cluster.keyOn(0, 'conflict');
  const [first, second] = [await begin({ label: 'First' }), await begin({ label: 'Second' })];
  await run(first, value(key));
  await run(second, value(key)); // both readers hold the lock
  const upgrades = [run(first, add(key, 1)), run(second, add(key, 1))]; // neither can upgrade while the other reads
  const answers = await Promise.all(upgrades);
  const statuses = answers.map((answer) => answer.statusCode).sort();
  expect(statuses).toEqual([200, 409]);
  const loser = answers.find((answer) => answer.statusCode === 409)!.json();
  expect(loser).toMatchObject({ retryable: true, commit_state: 'none' });
  const winner = answers[0]!.statusCode === 200 ? first : second;
  expect((await commit(winner)).statusCode).toBe(200);
  expect(await counterAt(key)).toBe(1);
  await allQuiet();
});

test('a transaction that is idle while another waits loses its locks, and gets the error at its commit', async () => {
  const key = cluster.keyOn(1, 'idle');
  const id = await begin({ label: 'Idle' });
  await run(id, value(key));
  const other = await inject('POST', '/v1/transactions', { operations: [add(key, 1)] }); // waits for the idle one
  expect(other.statusCode).toBe(200);
  const late = await commit(id);
  expect([late.statusCode, late.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'expired', retryable: true, commit_state: 'none' }),
  ]);
});

test('many open transactions do not delay one-shot transactions', async () => {
  const many = await startCluster(1);
  const app = many.gateways[0]!.rest;
  const read = (key: string) => ({ method: 'POST' as const, url: '/v1/transactions', payload: { operations: [value(key)] } });
  await app.inject(read('warm'));
  await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const { id } = (await app.inject({ method: 'POST', url: BASE, payload: {} })).json() as { id: string };
      return app.inject({ method: 'POST', url: `${BASE}/${id}/operations`, payload: { operations: [value(`held-${i}`)] } });
    }),
  );
  const tookMs = async () => {
    const startMs = performance.now();
    expect((await app.inject(read('free'))).statusCode).toBe(200);
    return performance.now() - startMs;
  };
  // The client's admission control would delay each by up to 250 ms; this process may stand still in any one.
  await expect.poll(tookMs, { interval: 1 }).toBeLessThan(240);
  await many.close();
});

test('a longer lifetime than allowed, and one transaction too many, are refused', async () => {
  const long = await inject('POST', BASE, { expires_in_ms: 60_001 });
  expect([long.statusCode, long.json().code]).toEqual([400, 'invalid_request']);
  const ids = await Promise.all(Array.from({ length: 5 }, () => begin()));
  const sixth = await inject('POST', BASE, {});
  expect([sixth.statusCode, sixth.json().code, sixth.headers['retry-after']]).toEqual([429, 'too_many_transactions', '1']);
  await Promise.all(ids.map((id) => abort(id)));
  expect((await inject('POST', BASE, {})).statusCode).toBe(201);
});
