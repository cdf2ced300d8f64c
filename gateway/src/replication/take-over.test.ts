// Gateway processes of one shard with a replicated log, which die and freeze, on three real NATS servers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import type { FrameMessage, WelcomeMessage } from '@claret/client/telemetry';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../scripts/nats/servers.js';
import { freePorts } from '../../../scripts/run/ports.js';
import { SeatMap } from '../../../client/src/types/examples/seat-map.ts';
import { natsServer } from '../log/jetstream/testing.ts';
import { installAt, ofExamples } from '../testing/examples.ts';
import { startProcess } from '../testing/process.ts';
import { RedisClient } from '../testing/redis-client.ts';
import type { Run } from '../testing/process.ts';

/** An owner that stands still for longer loses its shard. */
const LEASE_MS = 5_000;
const PATIENT_MS = 120_000;
/** Leaves processors to what is tested. */
const [WORKERS, LOAD_PAUSE_MS] = [2, 50];
/** additions that show that the shard is served */
const FEW = 20;
const SOON = { interval: 100 };

interface Started extends Run {
  grpc: string;
  rest: string;
  /** of its Redis door */
  resp: string;
}

async function untilReady({ rest, child, output }: Started): Promise<void> {
  const isReady = () =>
    fetch(`${rest}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (
    const giveUpMs = performance.now() + PATIENT_MS;
    !(await isReady());
    await new Promise((resolve) => setTimeout(resolve, SOON.interval))
  )
    if (child.exitCode !== null || performance.now() > giveUpMs) throw new Error(`the gateway was not ready: ${output()}`);
}

describe.skipIf(natsServer === null)('gateways with a replicated log', () => {
  let servers: NatsServers;
  let folder: string;
  const closing: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'claret-take-over-'));
    servers = await startNatsServers({ program: natsServer! });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });

  let starts = 0;
  /** Gateways of a cluster with one shard. */
  async function cluster(clusterName: string) {
    const place = async () => (await freePorts(3)).map((port) => `127.0.0.1:${port}`).join('/');
    const own = await place();
    const begin = async (role: string[], addresses: string): Promise<Started> => {
      const nats = ['--log', 'jetstream', '--nats', servers.addresses.join(','), '--nats-token', servers.token];
      const data = ['--data-dir', join(folder, String(++starts)), '--cluster-name', clusterName];
      const run = startProcess(['--cluster', own, ...role, ...nats, ...data, '--owner-lease-ms', String(LEASE_MS)]);
      closing.push(() => void (run.child.kill('SIGCONT'), run.child.kill('SIGKILL')));
      const [grpc, rest, resp] = addresses.split('/');
      const started = { ...run, grpc: grpc!, rest: `http://${rest}`, resp: resp! };
      await untilReady(started);
      return started;
    };
    return {
      owner: () => begin(['--shard', '0'], own),
      standby: async () => {
        const addresses = await place();
        return begin(['--standby', addresses], addresses);
      },
    };
  }

  async function redisAt({ resp }: Started): Promise<RedisClient> {
    const redis = await RedisClient.open(resp);
    closing.push(() => redis.close());
    return redis;
  }

  async function connectTo(...addresses: string[]): Promise<Claret> {
    const claret = await connect({ addresses, timeoutMs: PATIENT_MS });
    closing.push(() => claret.close());
    return claret;
  }

  /** Adds to a counter now and then for as long as it runs. */
  function load(claret: Claret, key: string) {
    let added = 0;
    let isStopping = false;
    const failures: unknown[] = [];
    const worker = async () => {
      while (!isStopping) {
        await claret.transact('Add', [claret.on.counter(key).add(1)]).then(
          () => added++,
          (error: unknown) => failures.push(error),
        );
        await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
      }
    };
    const workers = Array.from({ length: WORKERS }, worker);
    closing.push(() => void (isStopping = true));
    return {
      failures,
      get added() {
        return added;
      },
      async stop() {
        isStopping = true;
        await Promise.all(workers);
      },
    };
  }

  const counted = (claret: Claret, key: string) => claret.transact('Count', [claret.on.counter(key).value()]).then(([count]) => count);
  const phaseOf = async ({ rest }: Started): Promise<string> => ((await (await fetch(`${rest}/readyz`)).json()) as { phase: string }).phase;
  interface TopologyAnswer {
    version: number;
    shards: { rest_address: string; resp_address?: string; incarnation: number; since_ms: number }[];
    standbys: { rest_address: string; resp_address?: string; follows: { shard: number; position: number; ready: boolean }[] }[];
  }
  const addressOf = ({ rest }: Started) => rest.slice('http://'.length);
  const topologyAt = async ({ rest }: Started) => (await (await fetch(`${rest}/v1/topology`)).json()) as TopologyAnswer;
  /** What a viewer is told first that comes back from that run of a gateway. */
  const welcomeOf = async ({ rest }: Started, lastEventId: string): Promise<WelcomeMessage> => {
    const leaving = new AbortController();
    const { body } = await fetch(`${rest}/v1/telemetry/stream`, { headers: { 'last-event-id': lastEventId }, signal: leaving.signal });
    let text = '';
    for await (const part of body!.pipeThrough(new TextDecoderStream())) if ((text += part).includes('\n\n')) break;
    leaving.abort();
    return JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as WelcomeMessage;
  };
  const frameOf = async ({ rest }: Started): Promise<FrameMessage> =>
    ((await (await fetch(`${rest}/v1/telemetry`)).json()) as { frames: FrameMessage[] }).frames[0]!;

  /** What the successor says of that, in its topology, metrics and telemetry. */
  async function expectTakenOver(by: Started, from: Started): Promise<void> {
    const [owned] = (await topologyAt(by)).shards;
    expect(owned!.resp_address).toBe(by.resp);
    const metrics = await (await fetch(`${by.rest}/metrics`)).text();
    expect(metrics).toContain(`claret_owner_incarnation{shard="0"} ${owned!.incarnation}\n`);
    expect(metrics).toContain('claret_takeovers_total{shard="0"} 1\n');
    expect(metrics).toMatch(/^claret_owner_lease_seconds\{shard="0"\} [0-5]\.\d+$/m);
    expect(metrics).toMatch(/^claret_owner_position\{shard="0"\} [1-9]\d*$/m);
    expect((await welcomeOf(by, `0-${owned!.incarnation - 1}`)).marks.map(({ what }) => what)).toEqual([
      { shard_taken_over: 0, by: addressOf(by), from: addressOf(from), unanswered_ms: expect.any(Number) },
    ]);
    expect((await frameOf(by)).replication!.owners).toEqual([
      {
        shard: 0,
        address: by.grpc,
        rest_address: addressOf(by),
        incarnation: owned!.incarnation,
        since_ms: owned!.since_ms,
        present: true,
      },
    ]);
  }

  test('a standby takes the shard of a gateway that is killed or stops, with types and all that was acknowledged, and clients follow it', async () => {
    const { owner, standby } = await cluster('killed');
    const first = await owner();
    const second = await standby();
    const claret = await connectTo(first.grpc);
    await installAt(first.rest);
    const examples = ofExamples(claret, ['one', 'two']);
    await examples.fill();
    const filled = await examples.read();
    const run = load(claret, 'all');
    expect(await phaseOf(second)).toBe('standby');
    expect((await topologyAt(second)).shards[0]).toMatchObject({ rest_address: addressOf(first), resp_address: first.resp });
    await expect
      .poll(async () => (await topologyAt(second)).standbys[0], SOON)
      .toMatchObject({ rest_address: addressOf(second), resp_address: second.resp });
    expect(await (await redisAt(first)).call('SET', 'redis', 'kept')).toBe('OK');
    await (
      await redisAt(second)
    ).closed; // it has no shard
    await expect.poll(() => run.added, SOON).toBeGreaterThan(FEW);
    // Only an owner that was seen to renew its lease lets a successor say since when nobody can have answered.
    await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS));
    first.child.kill('SIGKILL');
    const before = run.added;
    await expect.poll(() => run.added, SOON).toBeGreaterThan(before + FEW);
    expect(await phaseOf(second)).toBe('serving');
    expect(await (await redisAt(second)).call('GET', 'redis')).toBe('kept');
    expect(await examples.read()).toEqual(filled);
    await expectTakenOver(second, first);
    // What it is installed over: the same definition again.
    await installAt(second.rest, [SeatMap]);

    const third = await owner();
    expect(await phaseOf(third)).toBe('standby');
    const follower = async () => (await topologyAt(second)).standbys[0]?.follows;
    await expect.poll(follower, SOON).toEqual([{ shard: 0, position: expect.any(Number), ready: true }]);
    await expect
      .poll(async () => (await frameOf(second)).replication!.standbys[0]?.follows, SOON)
      .toEqual([{ shard: 0, ready: true, behind: 0 }]);
    await examples.use();
    const used = await examples.read();
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    await expect.poll(() => phaseOf(third), SOON).toBe('serving');
    const again = run.added;
    await expect.poll(() => run.added, SOON).toBeGreaterThan(again + FEW);
    await run.stop();
    expect(run.failures).toEqual([]);
    expect(await counted(claret, 'all')).toBe(run.added);
    expect(await examples.read()).toEqual(used);
    expect(third.output()).not.toContain('"restored":0');
    third.child.kill('SIGTERM');
    expect(await third.ended).toBe(0);
  });

  test('an owner that was frozen past its lease gives no stale answer when it thaws, and ends', async () => {
    const { owner, standby } = await cluster('frozen');
    const first = await owner();
    const second = await standby();
    const claret = await connectTo(first.grpc, second.grpc);
    await claret.transact('Add', [claret.on.counter('a').add(1)]);
    const redis = await redisAt(first);
    await redis.call('PING');
    first.child.kill('SIGSTOP');
    // Read and written at the frozen owner, from its sockets' buffers, once it thaws.
    const asked = [
      fetch(`${first.rest}/v1/records/a?type=counter&operation=value`).then((response) => response.text()),
      fetch(`${first.rest}/v1/transactions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ label: 'Late', operations: [{ key: 'a', type: 'counter', operation: 'add', arguments: [100] }] }),
      }).then((response) => response.text()),
      redis.call('EXISTS', 'a').then((reply) => (reply === undefined ? 'no answer' : JSON.stringify(reply))),
    ].map((answer) => answer.catch(() => 'no answer'));
    await expect.poll(() => phaseOf(second), SOON).toBe('serving');
    await claret.transact('Add', [claret.on.counter('a').add(1)]);
    first.child.kill('SIGCONT');
    expect(await first.ended).toBe(1);
    expect(first.output()).toMatch(/owner_lost: the gateway at .* owns shard 0 now|another_writer/);
    expect(await Promise.all(asked)).toEqual(['no answer', 'no answer', 'no answer']);
    expect(await counted(claret, 'a')).toBe(2);
  });
});
