// Slots that move between real gateways, under load.
import { connect, slotOf } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { Gateway } from '../app.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const SOON = { interval: 20 };

interface MoveAnswer {
  move: string;
  phase: string;
  why: string | null;
  held_ms: number | null;
}

let cluster: TestCluster | undefined;
const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await cluster?.close();
  cluster = undefined;
});

async function clientOf({ member }: Gateway): Promise<Claret> {
  const claret = await connect({ addresses: [member.grpc], timeoutMs: 60_000 });
  closing.push(() => claret.close(0));
  return claret;
}

async function post<T>({ member }: Gateway, path: string, body: object): Promise<{ status: number; answer: T }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://${member.rest}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, answer: (await response.json()) as T };
}
const movesAt = async ({ member }: Gateway) =>
  ((await (await fetch(`http://${member.rest}/v1/admin/moves`)).json()) as { moves: MoveAnswer[] }).moves;

/** Begins a move at any gateway, and waits until it is done. */
async function move(at: Gateway, body: object): Promise<MoveAnswer> {
  const { status, answer } = await post<MoveAnswer>(at, '/v1/admin/moves', body);
  expect([status, answer]).toMatchObject([202, { phase: 'copying' }]);
  const state = async () => (await movesAt(at)).find((one) => one.move === answer.move)!;
  await expect.poll(async () => (await state()).phase, SOON).toBe('done');
  return state();
}

const KEYS = Array.from({ length: 300 }, (_, i) => `counter-${i}`);

/** Adds to counters in transactions over two of them, one-shot and interactive, and natively, until it is stopped. */
function load(claret: Claret) {
  const added = new Map<string, number>(KEYS.map((key) => [key, 0]));
  const failures: unknown[] = [];
  let isStopping = false;
  let done = 0;
  const note = (...keys: string[]) => {
    done++;
    for (const key of keys) added.set(key, added.get(key)! + 1);
  };
  const any = () => KEYS[Math.floor(Math.random() * KEYS.length)]!;
  const steps = [
    async (a: string, b: string) => {
      await claret.transact('Both', [claret.on.counter(a).add(1), claret.on.counter(b).add(1)]);
      note(a, b);
    },
    async (a: string, b: string) => {
      await claret.transaction('Read and add', async (tx) => {
        await tx.counter(a).value();
        tx.counter(b).add(1);
      });
      note(b);
    },
    async (a: string) => {
      await claret.native.counter(a).add(1);
      note(a);
    },
  ];
  const worker = async (step: (a: string, b: string) => Promise<void>) => {
    while (!isStopping) await step(any(), any()).catch((error: unknown) => failures.push(error));
  };
  const workers = [...steps, ...steps, ...steps].map(worker);
  closing.push(() => void (isStopping = true));
  return {
    added,
    failures,
    get done() {
      return done;
    },
    async stop() {
      isStopping = true;
      await Promise.all(workers);
    },
  };
}

const values = async (claret: Claret): Promise<Map<string, number>> => {
  const found = await claret.transact(
    'All',
    KEYS.map((key) => claret.on.counter(key).value()),
  );
  return new Map(KEYS.map((key, i) => [key, Number(found[i])]));
};

describe('slots that move', () => {
  test('a third shard that joins takes its third of the slots under load, without a failed request', async () => {
    cluster = await startCluster(2, { durability: 'sync' });
    const [first, second] = cluster.gateways as [Gateway, Gateway];
    const claret = await clientOf(first);
    const run = load(claret);
    const seen: unknown[] = [];
    const watch = claret.watch([claret.on.counter(KEYS[0]!).value()], ({ value, error }) => seen.push(error ?? value));
    await expect.poll(() => run.done, SOON).toBeGreaterThan(100);
    await cluster.join();
    const third = cluster.gateways[2]!;
    await move(first, { from: 0, to: 2, count: 2_731 });
    await move(third, { from: 1, to: 2, count: 2_730 });
    const before = run.done;
    await expect.poll(() => run.done, SOON).toBeGreaterThan(before + 100);
    await run.stop();
    expect(run.failures).toEqual([]);
    expect(await values(claret)).toEqual(run.added);
    expect(third.host.counters().commits).toBeGreaterThan(0);
    const slots = claret.topology.shards.map((shard) => shard.slots.reduce((sum, { first: from, last }) => sum + last - from + 1, 0));
    expect(slots).toEqual([5_461, 5_462, 5_461]);
    await expect.poll(() => seen.at(-1), SOON).toBe(run.added.get(KEYS[0]!));
    watch.close();
    // Another client learns of it from whichever gateway it asks.
    expect(await values(await clientOf(second))).toEqual(run.added);
  });

  test('what has moved is there after restarts of all gateways, and moves back', async () => {
    cluster = await startCluster(2, { durability: 'sync' });
    const claret = await clientOf(cluster.gateways[0]!);
    await Promise.all(KEYS.map((key) => claret.native.counter(key).add(3)));
    await move(cluster.gateways[1]!, { from: 0, to: 1, slots: { first: 0, last: 8_191 } });
    await Promise.all(KEYS.map((key) => claret.native.counter(key).add(1)));
    await claret.close();
    for (const shard of [0, 1]) await cluster.restart(shard);
    await cluster.untilConnected();
    const again = await clientOf(cluster.gateways[0]!);
    expect(await values(again)).toEqual(new Map(KEYS.map((key) => [key, 4])));
    expect(again.topology.shards.map(({ slots }) => slots.length)).toEqual([0, 2]);
    await move(cluster.gateways[0]!, { from: 1, to: 0, slots: { first: 0, last: 1_000 } });
    expect(await values(again)).toEqual(new Map(KEYS.map((key) => [key, 4])));
    expect(KEYS.some((key) => slotOf(key) <= 1_000)).toBe(true);
  });

  test('a move that is not possible is refused, with what is wrong', async () => {
    cluster = await startCluster(2, { durability: 'sync' });
    const [first] = cluster.gateways as [Gateway];
    const refused = async (body: object) => {
      const { status, answer } = await post<{ code: string; detail: string }>(first, '/v1/admin/moves', body);
      return [status, answer.code, answer.detail];
    };
    expect(await refused({ to: 1 })).toEqual([400, 'invalid_request', 'A move names slots, or their count.']);
    expect(await refused({ to: 7, slots: { first: 0, last: 1 } })).toEqual([400, 'invalid_request', 'to: there is no shard 7.']);
    expect(await refused({ to: 0, slots: { first: 0, last: 1 } })).toEqual([400, 'invalid_request', 'to: shard 0 has these slots.']);
    expect(await refused({ to: 1, slots: { first: 8_000, last: 8_200 } })).toEqual([
      409,
      'invalid_move',
      'the shard does not own the slots.',
    ]);
    const unknown = await fetch(`http://${first.member.rest}/v1/admin/moves/0-1-none`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'unknown_move' }]);
  });
});
