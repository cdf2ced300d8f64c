// Data types of an application's own in a cluster of real gateways: they are tried, installed everywhere, used, replaced and retired.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Description, connect } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, unary } from './testing/calls.ts';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';
import { Catalogue } from './transaction/catalogue.ts';
import type { TypeDescription } from './transaction/catalogue.ts';
import { BROKEN_TALLY, LATER_TALLY, SEAT_MAP, TALLY, renamed } from './testing/definitions.ts';

const folder = mkdtempSync(join(tmpdir(), 'claret-types-'));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { durability: 'sync' }, folder);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

type Method = 'GET' | 'POST' | 'DELETE';
async function call(shard: number, method: Method, url: string, payload?: object) {
  const headers = method === 'DELETE' ? { 'content-type': 'application/json' } : {};
  const answer = await cluster.gateways[shard]!.rest.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const install = (definition: string, shard = 0) => call(shard, 'POST', '/v1/types', { definition });
const run = (shard: number, key: string, type: string, operation: string, ...args: unknown[]) =>
  call(shard, 'POST', '/v1/transactions', { operations: [{ key, type, operation, arguments: args }] });
const names = async (shard: number) => (await call(shard, 'GET', '/v1/types')).body.installed.map(({ name }: { name: string }) => name);

describe('a type', () => {
  test('is tried without being installed', async () => {
    const { status, body } = await call(1, 'POST', '/v1/types/check', { definition: SEAT_MAP, seconds: 0.1, seed: '7' });
    expect([status, body.name, body.seed, body.failure]).toEqual([200, 'SeatMap', '7', undefined]);
    expect(body.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(body.pairs).toHaveLength(10);
    expect(await names(0)).toEqual([]);
  });

  test.each([0, 1])('is tried no longer than its caller waits, at gateway %i', async (shard) => {
    const gone = new AbortController();
    const url = `http://${cluster.gateways[shard]!.member.rest}/v1/types/check`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ definition: SEAT_MAP, seconds: 60 });
    const asked = fetch(url, { method: 'POST', headers, body, signal: gone.signal }).catch((error: Error) => error.name);
    await pause(500);
    gone.abort();
    expect(await asked).toBe('AbortError');
    const beganMs = performance.now();
    expect((await call(shard, 'POST', '/v1/types/check', { definition: SEAT_MAP, seconds: 0.1 })).status).toBe(200);
    expect(performance.now() - beganMs).toBeLessThan(55_000);
  });

  test('is installed at all shards, through any gateway, under the same id', async () => {
    const { status, body } = await install(SEAT_MAP, 1);
    expect([status, body.type]).toMatchObject([200, { id: 128, name: 'SeatMap', version: 1, retired: false }]);
    expect(body.shards).toMatchObject([
      { shard: 0, done: true },
      { shard: 1, done: true },
    ]);
    for (const shard of [0, 1]) {
      const shown = (await call(shard, 'GET', '/v1/types/SeatMap')).body;
      expect(shown).toMatchObject({ ...body.type, definition: SEAT_MAP });
      const { types } = (await call(shard, 'GET', '/v1/types')).body as { types: { name: string; installed?: boolean }[] };
      expect(types.filter(({ installed }) => installed === true).map(({ name }) => name)).toEqual(['SeatMap']);
      const { json } = await unary<{ json: string }>(cluster.grpcClient(shard), 'GetCatalogue', {});
      expect(json).toContain('SeatMap');
    }
  });

  test('can be installed again: nothing changes', async () => {
    const again = await install(SEAT_MAP);
    expect([again.status, again.body.type.id]).toEqual([200, 128]);
    expect(await names(1)).toEqual(['SeatMap']);
  });

  test('runs its operations by name, over REST and gRPC, at records of any shard; its refusals keep their codes', async () => {
    for (const shard of [0, 1]) {
      const key = cluster.keyOn(shard, 'hall');
      expect((await run(0, key, 'SeatMap', 'open', 'stalls', 3)).status).toBe(200);
      expect((await run(1, key, 'seatmap', 'reserve', 'stalls', 'A1', 'ann')).status).toBe(200);
      const taken = await run(1, key, 'SeatMap', 'reserve', 'stalls', 'A1', 'bob');
      expect([taken.status, taken.body]).toMatchObject([
        409,
        { code: 'SeatMap.taken', retryable: false, type: '/v1/errors/SeatMap.taken', detail: `SeatMap.reserve ${key}: the seat is taken` },
      ]);
      expect((await call(0, 'GET', taken.body.type)).body).toMatchObject({ code: 'SeatMap.taken', http: 409 });
      const seat = { kind: 'text', text: 'A1' };
      const reserve = { key, name: 'SeatMap.reserve', arguments: [{ text: 'stalls' }, seat, { text: 'bob' }] };
      const refused = await failure(unary(cluster.grpcClient(0), 'Transact', { operations: [reserve] }));
      expect(refused).toMatchObject({ status: 'FAILED_PRECONDITION', code: 'SeatMap.taken', reason: 'SEATMAP_TAKEN', retryInfo: false });
      const left = await call(0, 'GET', `/v1/records/${key}?type=SeatMap&operation=left&arguments=${encodeURIComponent('["stalls"]')}`);
      expect(left.body).toMatchObject({ value: 2 });
    }
  });

  test('and its records are there after a restart', async () => {
    await cluster.restart(0);
    await cluster.restart(1);
    await cluster.untilConnected();
    expect(await names(0)).toEqual(['SeatMap']);
    const key = cluster.keyOn(1, 'hall');
    expect((await run(0, key, 'SeatMap', 'guest', 'A1')).body.results).toEqual(['ann']);
  });
});

describe('over gRPC', () => {
  test('a type is tried, listed, retired and installed', async () => {
    const client = cluster.grpcClient(1);
    const report = await unary<{ json: string }>(client, 'CheckType', { definition: SEAT_MAP, seconds: 0.1, seed: '3' });
    expect(JSON.parse(report.json)).toMatchObject({ name: 'SeatMap', seed: '3' });
    const { types } = await unary<{ types: object[] }>(client, 'GetTypes', {});
    expect(types).toMatchObject([{ id: 128, name: 'SeatMap', version: '1', retired: false, definition: '' }]);
    expect(await unary(client, 'GetTypes', { id: 128 })).toMatchObject({ types: [{ definition: SEAT_MAP }], done: true });
    const retired = await unary<{ json: string }>(client, 'ChangeTypes', { retire: 'SeatMap' });
    expect(JSON.parse(retired.json)).toMatchObject({ type: { retired: true }, shards: [{ shard: 0 }, { shard: 1 }] });
    const installed = await unary<{ json: string }>(client, 'ChangeTypes', { install: SEAT_MAP });
    expect(JSON.parse(installed.json)).toMatchObject({ type: { id: 128, retired: false } });
  });

  test('refusals have their codes, and what belongs to them', async () => {
    const broken = await failure(unary(cluster.grpcClient(1), 'ChangeTypes', { install: BROKEN_TALLY }));
    expect(broken).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'type_broken' });
    expect(JSON.parse(broken.metadata['report']!)).toMatchObject({ failure: { law: 'pairs' } });
    expect(await failure(unary(cluster.grpcClient(0), 'ChangeTypes', {}))).toMatchObject({ code: 'invalid_request' });
    for (const id of [5, 384])
      expect(await failure(unary(cluster.grpcClient(1), 'FollowType', { id }))).toMatchObject({ code: 'invalid_request' });
    expect(await failure(unary(cluster.grpcClient(1), 'FollowType', { id: 200 }))).toMatchObject({ code: 'type_not_installed' });
    const trial = { definition: TALLY, seconds: 1e9 };
    expect(await failure(unary(cluster.grpcClient(0), 'CheckType', trial))).toMatchObject({ code: 'invalid_request' });
  });
});

describe('a change', () => {
  test('is refused, with the case, if a law is broken', async () => {
    const { status, body } = await install(BROKEN_TALLY, 1);
    expect([status, body.code]).toEqual([422, 'type_broken']);
    expect(body.report.failure).toMatchObject({ law: 'pairs', broken: expect.stringContaining('reached') });
    expect(body.report.failure.case).toContain('comes: add(');
    expect(await names(0)).toEqual(['SeatMap']);
  });

  test('is refused if the text is no definition', async () => {
    for (const definition of [
      '{',
      'null',
      '{"format":1}',
      renamed(TALLY, '__proto__'),
      renamed(TALLY, 'Set'),
      `${TALLY}${' '.repeat(70_000)}`,
    ]) {
      const { status, body } = await install(definition);
      expect([definition.slice(0, 40), status, body.code]).toEqual([definition.slice(0, 40), 400, 'invalid_definition']);
    }
  });

  test('is refused if the name is another one by its case alone, or the version is not later', async () => {
    expect((await install(TALLY)).status).toBe(200);
    expect((await install(LATER_TALLY)).body.type).toMatchObject({ id: 129, version: 2 });
    const lost = LATER_TALLY.replace('"version":2', '"version":3')
      .replace('"name":"reached"', '"name":"arrived"')
      .replace('"second":"reached"', '"second":"arrived"');
    for (const definition of [
      TALLY,
      LATER_TALLY.replace('has come', 'came'),
      renamed(TALLY, 'TALLY'),
      renamed(TALLY, 'RECORD'),
      renamed(TALLY, 'SET'),
      lost,
    ]) {
      const { status, body } = await install(definition);
      expect([status, body.code], body.detail).toEqual([409, 'type_conflict']);
    }
    expect(await names(1)).toEqual(['SeatMap', 'Tally']);
    expect((await run(0, 'votes', 'Tally', 'add', 2)).status).toBe(200);
    expect((await run(1, 'votes', 'Tally', 'reached', 2)).body.results).toEqual([true]);
  });

  test('retires a type: its operations are refused, its records can be deleted, and it can come back', async () => {
    const { status, body } = await call(1, 'DELETE', '/v1/types/tally');
    expect([status, body.type]).toMatchObject([200, { name: 'Tally', retired: true }]);
    for (const shard of [0, 1]) {
      const refused = await run(shard, 'votes', 'Tally', 'add', 1);
      expect([refused.status, refused.body.code]).toEqual([409, 'type_retired']);
    }
    expect((await run(0, 'votes', 'Record', 'delete')).body.results).toEqual([true]);
    expect((await install(LATER_TALLY)).body.type).toMatchObject({ id: 129, retired: false });
    expect((await run(0, 'votes', 'Tally', 'add', 1)).status).toBe(200);
    expect((await call(0, 'DELETE', '/v1/types/Nothing')).body.code).toBe('type_not_installed');
  });

  test('is not made while a shard is away', async () => {
    await cluster.gateways[1]!.close();
    const { status, body } = await install(renamed(TALLY, 'Other'));
    expect([status, body.code]).toEqual([503, 'shard_unavailable']);
    expect(body.shards[1]).toMatchObject({ shard: 1, types: null });
    expect(await names(0)).toEqual(['SeatMap', 'Tally']);
    await cluster.restart(1);
    await cluster.untilConnected();
  });

  test('comes to a gateway that joins later', async () => {
    await cluster.join();
    expect(await names(2)).toEqual(['SeatMap', 'Tally']);
  });
});

test('a client gets the codes of a type unchanged, at the first attempt', async () => {
  const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc) });
  const { types } = (await call(0, 'GET', '/v1/types')).body as { types: TypeDescription[] };
  const type = types.find(({ name }) => name === 'Tally')!;
  const spec = new Catalogue(JSON.stringify({ types: [type], record: type })).find('Tally', 'add', 'votes');
  const error: unknown = await claret
    .transaction('Add', (tx) => tx.perform(new Description(spec, 'votes', [-1])))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'Tally.negative', retryable: false, retries: 0, message: 'Tally.add votes: it only grows' });
  await claret.close();
});
