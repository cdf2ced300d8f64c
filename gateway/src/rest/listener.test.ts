// The REST port while the shard is being restored, and after the routes have taken over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildGateway } from '../app.ts';
import { DEFAULTS } from '../config.ts';
import { freePorts } from '../../../scripts/run/ports.js';
import { RestListener } from './listener.ts';

test('during a restore it is alive but not ready, reports its progress, and refuses everything else', async () => {
  const [grpc, port] = await freePorts(2);
  const dataDir = mkdtempSync(join(tmpdir(), 'claret-listener-'));
  const cluster = `127.0.0.1:${grpc}/127.0.0.1:${port}`;
  const config = { ...DEFAULTS, logLevel: 'silent' as const, durability: 'sync' as const, drainMs: 100, cluster, dataDir };
  const listener = new RestListener(config);
  await listener.listen();
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  expect((await get('/livez')).status).toBe(200);
  listener.progress = { recordsLoaded: 7, entriesReplayed: 3, bytesRead: 10, bytesTotal: 40, milliseconds: 250 };
  const ready = await get('/readyz');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'unavailable',
    phase: 'recovering',
    records_loaded: 7,
    entries_replayed: 3,
    bytes_read: 10,
    bytes_total: 40,
    seconds: 0.25,
  });
  for (const path of ['/v1/topology', '/metrics', '/', '/docs']) {
    const refused = await get(path);
    expect([path, refused.status, refused.headers.get('content-type')]).toEqual([path, 503, 'application/problem+json']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'recovering', retryable: true, commit_state: 'none' });
  }

  const gateway = await buildGateway(config, { listener });
  expect(await (await get('/readyz')).json()).toEqual({ status: 'unavailable', phase: 'starting' });
  expect((await get('/v1/topology')).status).toBe(503);
  await gateway.listen();
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok', phase: 'serving' });
  expect(await (await get('/v1/topology')).json()).toMatchObject({ durability: 'sync', cluster_name: 'claret' });
  const metrics = await (await get('/metrics')).text();
  for (const name of [
    'claret_log_write_seconds_count',
    'claret_log_replay_bytes',
    'claret_checkpoint_age_seconds',
    'claret_restart_seconds',
  ]) {
    expect(metrics).toMatch(new RegExp(`^${name} [0-9.e-]+$`, 'm'));
  }
  await gateway.close();
  await expect(get('/livez')).rejects.toThrow();
  rmSync(dataDir, { recursive: true });
});

test('a gateway that is closed during its start never serves', async () => {
  const [grpc, port, otherGrpc, otherPort] = await freePorts(4);
  const dataDir = mkdtempSync(join(tmpdir(), 'claret-listener-'));
  const cluster = `127.0.0.1:${grpc}/127.0.0.1:${port},127.0.0.1:${otherGrpc}/127.0.0.1:${otherPort}`;
  const config = { ...DEFAULTS, logLevel: 'silent' as const, durability: 'sync' as const, drainMs: 100, cluster, dataDir };
  const listener = new RestListener(config);
  await listener.listen();
  const gateway = await buildGateway(config, { listener });
  const listening = gateway.listen(); // tries to greet the other gateway, which does not exist
  const closed = gateway.close();
  await listening;
  const phase = await fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (answer) => ((await answer.json()) as { phase: string }).phase,
    () => 'gone',
  );
  expect(['closing', 'gone']).toContain(phase);
  await closed;
  for (const taken of [grpc, port]) await expect(fetch(`http://127.0.0.1:${taken}/livez`)).rejects.toThrow();
  rmSync(dataDir, { recursive: true });
});
