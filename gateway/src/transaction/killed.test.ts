// Transactions with an id against real gateways that are killed and come back: sent again until they are answered, they
// have committed once, and the answer stays the same.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import type { Claret, ClaretError } from '@claret/client';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../testing/cluster.ts';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Run } from '../testing/process.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const SHARDS = [0, 1];
const KILLS = 4;
/** Of REST. */
const TRANSACTION_MS = 4_000;

async function cluster() {
  const folder = mkdtempSync(join(tmpdir(), 'claret-killed-'));
  const ports = await freePorts(4);
  const addresses = `127.0.0.1:${ports[0]}/127.0.0.1:${ports[1]},127.0.0.1:${ports[2]}/127.0.0.1:${ports[3]}`;
  const start = (shard: number) =>
    startProcess(['--shard', String(shard), '--cluster', addresses, '--data-dir', join(folder, String(shard)), '--durability', 'sync', '--transaction-ms', String(TRANSACTION_MS)]);
  const runs: Run[] = SHARDS.map(start);
  await Promise.all(runs.map(untilReady));
  onTestFinished(async () => {
    for (const { child } of runs) child.kill('SIGKILL');
    await Promise.all(runs.map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
  });
  return {
    rest: `http://127.0.0.1:${ports[1]}`,
    connect: () => connect({ addresses: SHARDS.map((shard) => `127.0.0.1:${ports[2 * shard]}`), timeoutMs: 5_000 }),
    /** And starts it again, once `whileAway` has ended. */
    kill: async (shard: number, whileAway: () => Promise<void> = async () => {}) => {
      runs[shard]!.child.kill('SIGKILL');
      await runs[shard]!.ended;
      await whileAway();
      runs[shard] = start(shard);
      await untilReady(runs[shard]);
    },
  };
}

/** The shard that is home to an Idempotency-Key. */
function homeOf(key: string): number {
  const slot = createHash('sha256').update(`Idempotency-Key:${key}`).digest().readUInt16BE() % 16_384;
  return Math.floor((slot * SHARDS.length) / 16_384);
}

const pay = (claret: Claret, id: string) =>
  claret.transaction('Pay', async (tx) => {
    tx.counter('{left}:paid').add(1);
    tx.counter('{right}:paid').add(1);
    return { balance: await tx.counter('{left}:balance').value(), id };
  }, { id });

/** Sends it until there is an answer, as somebody does who has written the id down. */
async function paid(claret: Claret, id: string): Promise<unknown> {
  for (;;) {
    try {
      return await pay(claret, id);
    } catch (error) {
      if ((error as ClaretError).commitState === 'applied') throw error;
    }
  }
}

test('what is sent again until it is answered has happened once, whatever was killed in between', { timeout: 180_000 }, async () => {
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
  const workers = Array.from({ length: 6 }, worker);
  for (let round = 0; round < KILLS; round++) {
    await pause(100 + Math.random() * 300);
    await kill(round % 2);
  }
  running = false;
  await Promise.all(workers);
  await kill(0);
  await kill(1);
  const read = () => two.transact('Read', [two.on.counter('{left}:paid').value(), two.on.counter('{right}:paid').value()]);
  await expect.poll(read, { timeout: 20_000 }).toEqual([answers.size, answers.size]);
  expect(answers.size).toBeGreaterThan(KILLS);
  for (const [id, answer] of [...answers].slice(0, 20)) expect(await paid(two, id)).toEqual(answer);
  expect(await read()).toEqual([answers.size, answers.size]);

  // REST: the key outlives the gateways too. While its home is away nobody says that it has not happened.
  const key = ['k-0', 'k-1', 'k-2', 'k-3', 'k-4', 'k-5', 'k-6', 'k-7'].find((one) => homeOf(one) === 1)!;
  const body = JSON.stringify({ operations: [{ key: 'once', type: 'counter', operation: 'add', arguments: [1] }] });
  const post = async () => {
    const answer = await fetch(`${rest}/v1/transactions`, { method: 'POST', body, headers: { 'content-type': 'application/json', 'idempotency-key': key } });
    return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), text: await answer.text() };
  };
  const first = await post();
  expect([first.status, first.replayed]).toEqual([200, null]);
  await kill(0);
  await kill(1, async () => {
    const { status, text } = await post();
    expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'shard_unavailable', retryable: true, commit_state: 'unknown' }]);
  });
  await expect.poll(post, { timeout: 20_000 }).toEqual({ status: 200, replayed: 'true', text: first.text });
});
