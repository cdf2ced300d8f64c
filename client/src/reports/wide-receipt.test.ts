// Receipts of transactions of several shards that are sent whole, against two scripted shards: their turns, batches and broken chains.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { answer, ChainedShard, errorOf } from '../testing/chained-shard.ts';
import { keyOn } from '../testing/keys.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Receipt } from './receipt.ts';

let claret: Claret;
let observed: Claret;
let shard: ChainedShard;
let time: SteppedEnvironment;
let receipts: Receipt[];
const x = keyOn(0);
const y = keyOn(1);

beforeEach(async () => {
  shard = new ChainedShard();
  time = new SteppedEnvironment();
  claret = await shard.connect({ environment: time }, 2);
  receipts = [];
  observed = claret.observed((receipt) => void receipts.push(receipt));
});
afterEach(() => claret.close(0));

function send(): Promise<unknown> {
  const result = observed.transact('Both', [observed.on.counter(x).value(), observed.on.counter(y).add(1)]);
  result.catch(() => {});
  return result;
}

function answerBoth(members: number[], more: object = {}): void {
  shard.say({ members: members.map((n) => answer(n, [7], more)) });
  shard.other.say({ members: members.map((n) => answer(n, [], more)) });
}

/** The batch in which what was answered prepares. */
async function preparing(): Promise<string> {
  const batches = (await shard.frames()).flatMap((frame) => frame.batches);
  expect(batches.length).toBe(1);
  return batches[0].request.attempt;
}

async function commits(attempt: string): Promise<void> {
  shard.voteBoth(attempt, 50 * 256, 60 * 256 + 1);
  await shard.frames();
}

it('tells how long it waited for its turn, and of its batch', async () => {
  const [one, other] = [send(), send()];
  await shard.frames();
  time.pass(3);
  shard.grantTurn();
  await shard.frames();
  answerBoth([1, 2]);
  const attempt = await preparing();
  await commits(attempt);
  await Promise.all([one, other]);
  const batch = { members: 2, shards: [0, 1], waited_us: expect.any(Number), stood_back: false };
  expect(receipts).toMatchObject([
    { outcome: 'committed', shards: 2, turn_waited_us: 3_000, batch: { ...batch, at: String(60 * 256 + 1) }, chains_broken: 0 },
    { outcome: 'committed', shards: 2, turn_waited_us: 3_000, batch: { ...batch, at: String(61 * 256 + 1) }, chain_broken: null },
  ]);
});

it('tells why its chain broke, and of the batch in which it then committed', async () => {
  const result = send();
  await shard.frames();
  shard.grantTurn();
  await shard.frames();
  shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken'), reason: 'displaced' }] });
  await shard.frames();
  answerBoth([1], { chain: '2' });
  await commits(await preparing());
  await result;
  expect(receipts).toMatchObject([
    { outcome: 'committed', retries: 1, chains_broken: 1, chain_broken: 'displaced', batch: { members: 1 } },
  ]);
});

it('tells that its batch stood back', async () => {
  const result = send();
  await shard.frames();
  shard.grantTurn();
  await shard.frames();
  answerBoth([1]);
  const attempt = await preparing();
  shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken'), reason: 'stood_back' }] });
  await commits(attempt);
  await result;
  expect(receipts).toMatchObject([
    { outcome: 'committed', retries: 0, chains_broken: 0, batch: { stood_back: true, at: String(60 * 256 + 1) } },
  ]);
});

it('has no batch if it is of one shard', async () => {
  const result = observed.transact('One', [observed.on.counter(x).value()]);
  result.catch(() => {});
  await shard.frames();
  shard.say({ members: [{ ...answer(1, [7]), committedAt: '5' }] });
  await result;
  expect(receipts).toMatchObject([{ outcome: 'committed', turn_waited_us: 0, batch: null, chains_broken: 0, chain_broken: null }]);
});
