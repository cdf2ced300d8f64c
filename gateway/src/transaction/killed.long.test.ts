// Transactions with an id against real gateways that are killed and restarted: a transaction that is sent until it is answered commits
// once, and its answer stays the same.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import type { Claret, ClaretError } from '@claret/client';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Run } from '../testing/process.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const SHARDS = [0, 1];
const KILLS = 4;
/** the gateways' time limit for transactions of REST callers */
const TRANSACTION_MS = 4_000;

async function cluster() {
  const folder = mkdtempSync(join(tmpdir(), 'claret-killed-'));
  const ports = await freePorts(4);
  const addresses = `127.0.0.1:${ports[0]}/127.0.0.1:${ports[1]},127.0.0.1:${ports[2]}/127.0.0.1:${ports[3]}`;
  const start = (shard: number) =>
    startProcess([
      '--shard',
      String(shard),
      '--cluster',
      addresses,
      '--data-dir',
      join(folder, String(shard)),
      '--durability',
      'sync',
      '--transaction-ms',
      String(TRANSACTION_MS),
    ]);
  const runs: Run[] = SHARDS.map(start);
  await Promise.all(runs.map(untilReady));
  onTestFinished(async () => {
    for (const { child } of runs) child.kill('SIGKILL');
    await Promise.all(runs.map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
  });
  return {
    rest: SHARDS.map((shard) => `http://127.0.0.1:${ports[2 * shard + 1]}`),
    connect: () => connect({ addresses: SHARDS.map((shard) => `127.0.0.1:${ports[2 * shard]}`), timeoutMs: 5_000 }),
    /** Kills the gateway and restarts it once `whileAway` has ended. */
    kill: async (shard: number, whileAway: () => Promise<void> = async () => {}) => {
      runs[shard]!.child.kill('SIGKILL');
      await runs[shard]!.ended;
      await whileAway();
      runs[shard] = start(shard);
      await untilReady(runs[shard]);
    },
  };
}

/** The home shard of an Idempotency-Key. */
function homeOf(key: string): number {
  const slot = createHash('sha256').update(`Idempotency-Key:${key}`).digest().readUInt16BE() % 16_384;
  return Math.floor((slot * SHARDS.length) / 16_384);
}

const pay = (claret: Claret, id: string) =>
  claret.transaction(
    'Pay',
    async (tx) => {
      tx.counter('{left}:paid').add(1);
      tx.counter('{right}:paid').add(1);
      return { balance: await tx.counter('{left}:balance').value(), id };
    },
    { id },
  );

/** Sends the transaction with the same id until there is an answer. */
async function paid(claret: Claret, id: string): Promise<unknown> {
  for (;;) {
    try {
      return await pay(claret, id);
    } catch (error) {
      if ((error as ClaretError).commitState === 'applied') throw error;
    }
  }
}

interface Posted {
  status: number;
  replayed: string | null;
  text: string;
  /** null: there was no answer, or one without an error */
  commitState: string | null;
}

async function post(rest: string, key: string, body: object): Promise<Posted> {
  try {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const answer = await fetch(`${rest}/v1/transactions`, { method: 'POST', body: JSON.stringify(body), headers });
    const text = await answer.text();
    const { commit_state: commitState = null } = JSON.parse(text) as { commit_state?: string };
    return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), text, commitState };
  } catch (error) {
    return { status: 0, replayed: null, text: String(error), commitState: null };
  }
}

/** Sends the request to any gateway until there is an answer. */
async function posted(rest: readonly string[], key: string, body: object): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { status, text } = await post(rest[tries % rest.length]!, key, body);
    if (status === 200) return text;
    expect([0, 409, 429, 500, 503], text).toContain(status);
    await pause(20);
  }
}

test('a transaction that is sent until it is answered commits once, although gateways are killed meanwhile', async () => {
  const { connect: client, kill, rest } = await cluster();
  const [one, two] = await Promise.all([client(), client()]);
  onTestFinished(async () => void (await Promise.all([one.close(0), two.close(0)])));
  const answers = new Map<string, unknown>();
  let running = true;
  const worker = async () => {
    while (running) {
      const id = one.transactionId();
      const [first, second] = await Promise.all([paid(one, id), paid(two, id)]);
      expect(second).toEqual(first);
      answers.set(id, first);
    }
  };
  const both = {
    operations: ['{left}:keyed', '{right}:keyed'].flatMap((key) => [
      { key, type: 'counter', operation: 'add', arguments: [1] },
      { key, type: 'counter', operation: 'value', arguments: [] },
    ]),
  };
  let keys = 0;
  const poster = async () => {
    while (running) {
      const key = `"${randomUUID()}"`;
      const [first, second] = await Promise.all([posted(rest, key, both), posted(rest.toReversed(), key, both)]);
      expect(second).toBe(first);
      keys++;
      // Once it has been answered, no later answer says that it did not commit.
      expect((await post(rest[keys % 2]!, key, both)).commitState).not.toBe('none');
    }
  };
  const workers = [...Array.from({ length: 6 }, worker), poster(), poster()];
  // A client that has lost a shard reconnects within 2 s.
  for (let round = 0; round < KILLS; round++) {
    await pause(100 + Math.random() * 1_500);
    await kill(round % 2);
  }
  await expect.poll(() => Math.min(keys, answers.size)).toBeGreaterThan(KILLS);
  running = false;
  await Promise.all(workers);
  await kill(0);
  await kill(1);
  const counters = ['{left}:paid', '{right}:paid', '{left}:keyed', '{right}:keyed'];
  const read = () =>
    two.transact(
      'Read',
      counters.map((key) => two.on.counter(key).value()),
    );
  const counts = [answers.size, answers.size, keys, keys];
  await expect.poll(read).toEqual(counts);
  for (const [id, answer] of [...answers].slice(0, 20)) expect(await paid(two, id)).toEqual(answer);
  expect(await read()).toEqual(counts);

  // REST: the key outlives the gateways too. While its home shard is down, no answer says that it did not commit.
  const key = ['k-0', 'k-1', 'k-2', 'k-3', 'k-4', 'k-5', 'k-6', 'k-7'].find((one) => homeOf(one) === 1)!;
  const body = { operations: [{ key: 'once', type: 'counter', operation: 'add', arguments: [1] }] };
  const again = () => post(rest[0]!, key, body);
  const first = await again();
  expect([first.status, first.replayed]).toEqual([200, null]);
  await kill(0);
  await kill(1, async () => {
    const { status, text } = await again();
    expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'shard_unavailable', retryable: true, commit_state: 'unknown' }]);
  });
  await expect.poll(again).toMatchObject({ status: 200, replayed: 'true', text: first.text });
});
