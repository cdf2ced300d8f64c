// Members of several shards in schedules that seeds of the simulation do not find, against two scripted shards. Each of these tests finds a
// mistake of the client (loadtest/proofs/mistakes).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { all, answer, ChainedShard, errorOf, integer, membersOf, straighten, type Sent } from '../testing/chained-shard.ts';
import { keyOn } from '../testing/keys.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Tx } from '../transaction/tx.ts';

let claret: Claret;
let shard: ChainedShard;
let time: SteppedEnvironment;
/** commit timestamps by label */
let orders: Record<string, string | undefined>;
const x = keyOn(0);
const y = keyOn(1);
const z = keyOn(0, 'z');

beforeEach(async () => {
  shard = new ChainedShard();
  time = new SteppedEnvironment();
  orders = {};
  claret = await shard.connect({ environment: time, history: ({ label, order }) => void (orders[label] = order) }, 2);
});
afterEach(() => claret.close(0));

const heard = () => shard.both();
const batches = (frames: any[]): string[][] => all(frames, 'batches').map((batch) => batch.members);
const breaks = (chain = 1) => ({ broken: [{ chain: String(chain), decided: '0', error: errorOf('chain_broken') }] });

/** A list over both shards. */
function sendList(label = 'Both'): Promise<unknown[]> {
  const result = claret.transact(label, [claret.on.counter(x).value(), claret.on.counter(y).add(1)]);
  result.catch(() => {});
  return result;
}

function sendSingle(key = y): void {
  claret.transact('Single', [claret.on.counter(key).value()]).catch(() => {});
}

/** The list is answered: it has a result at x only. */
function answerList(n: number): void {
  shard.say({ members: [answer(n, [1])] });
  shard.other.say({ members: [answer(n, [])] });
}

/** The list is member 1, and its batch has left. Returns the batch's attempt. */
async function prepareList(): Promise<string> {
  sendList();
  await heard();
  shard.grantTurn();
  await heard();
  answerList(1);
  return all((await heard())[0], 'batches')[0].request.attempt;
}

/** A body with guesses on both shards is member 2, and has stood by its results. It waits for the list's batch, whose attempt is returned. */
async function concludeAbove(): Promise<string> {
  await straighten(claret, 'Sum');
  claret
    .transaction('Sum', async (tx: Tx) => {
      const sum = Number(await tx.counter(x).value()) + Number(await tx.counter(y).value());
      tx.counter(x).add(sum);
    })
    .catch(() => {});
  await heard();
  const attempt = await prepareList();
  const peek = (frames: any[]) => all(frames, 'peeks')[0].ticket;
  shard.say({ peeks: [{ ticket: peek(shard.heard), value: integer(3), changedAt: '5', at: '20' }] });
  await heard();
  shard.other.say({ peeks: [{ ticket: peek(shard.other.heard), value: integer(4), changedAt: '15', at: '30' }] });
  const [here, there] = await heard();
  expect(membersOf([...here, ...there])).toMatchObject([
    { n: 2, label: 'Sum' },
    { n: 2, label: 'Sum' },
  ]);
  shard.say({ members: [answer(2, [3])] });
  shard.other.say({ members: [answer(2, [4])] });
  expect(batches((await heard())[0])).toEqual([]);
  return attempt;
}

describe('a wide member', () => {
  it('is not concluded while one below it is open at one of its shards', async () => {
    sendList();
    await heard();
    shard.grantTurn();
    sendSingle();
    sendList('Above');
    const [, there] = await heard();
    expect(membersOf(there)).toMatchObject([{ n: 1 }, { n: 2, ends: false }, { n: 3 }]);
    answerList(1);
    answerList(3);
    expect(batches((await heard())[0])).toEqual([['1']]);
    shard.voteBoth(all(shard.heard, 'batches')[0].request.attempt);
    expect(batches((await heard())[1])).toEqual([]);
    shard.other.say({ members: [answer(2, [1])] });
    const [here, both] = await heard();
    expect(batches(here)).toEqual([['3']]);
    expect(batches(both)).toEqual([['3']]);
    expect(all(both, 'words')).toMatchObject([{ members: ['2'] }]);
  });

  it('that is answered again before its batch leaves is taken out everywhere, and goes again', async () => {
    await concludeAbove();
    shard.say({ members: [answer(2, [9])] });
    const [here, there] = await heard();
    for (const frames of [here, there]) expect(all(frames, 'withdrawn')).toEqual([{ chain: '1', n: '2', count: '1' }]);
  });

  it('that was concluded in a broken chain is in no batch of the next one', async () => {
    const attempt = await concludeAbove();
    shard.other.say(breaks());
    await heard();
    shard.voteBoth(attempt);
    const [here, there] = await heard();
    expect(batches([...here, ...there])).toEqual([]);
  });

  it('that goes again while a part of it is queued comes to each shard in the order of its new number', async () => {
    await prepareList();
    shard.other.acknowledges = false;
    shard.other.say({});
    for (let i = 0; i < 8; i++) {
      sendSingle();
      await heard();
    }
    sendList('Denied');
    const [here, there] = await heard();
    const [{ n }] = membersOf(here) as [Sent];
    expect(membersOf(there)).toEqual([]);
    sendSingle();
    shard.say({ members: [{ chain: '1', n: String(n), error: errorOf('denied') }] });
    await heard();
    shard.other.acknowledges = true;
    shard.other.say({});
    expect(membersOf((await heard())[1]).map((member) => member.n)).toEqual([n - 1, n + 1, n + 2]);
  });
});

describe('a batch', () => {
  it('commits each of its members at a time of its own', async () => {
    const attempt = await prepareList();
    sendList('Second');
    sendList('Third');
    await heard();
    for (const n of [2, 3]) answerList(n);
    await heard();
    shard.voteBoth(attempt);
    const [next] = all((await heard())[0], 'batches');
    expect(next).toMatchObject({ members: ['2', '3'], first: '2' });
    shard.voteBoth(next.request.attempt);
    await heard();
    expect(orders).toEqual({ Both: '768', Second: '768', Third: String(768 + 256) });
  });

  it('that a shard refuses ends its chain, whether or not the shard says so', async () => {
    const attempt = await prepareList();
    shard.other.say({ replies: [{ attempt, error: errorOf('chain_broken') }] });
    const [here, there] = await heard();
    for (const frames of [here, there]) {
      expect(frames.map(({ chain }) => chain)).toContain('2');
      expect(membersOf(frames)).toMatchObject([{ chain: 2, n: 1 }]);
    }
  });

  it('whose outcome nobody knows does not run again', async () => {
    const result = sendList();
    await heard();
    shard.grantTurn();
    await heard();
    answerList(1);
    const { attempt } = all((await heard())[0], 'batches')[0].request;
    shard.say({ replies: [{ attempt, votedAt: '512' }] });
    shard.other.incarnation = '8';
    shard.other.breakSession();
    await heard();
    time.pass(1_000);
    const [inquiry] = all((await heard())[1], 'inquiries');
    // It has forgotten everything.
    shard.other.say({ answers: [{ ticket: inquiry.ticket, state: 'ABORTED', id: inquiry.id }] });
    await expect(result).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown' });
    const [here, there] = await heard();
    expect(membersOf([...here, ...there])).toEqual([]);
  });
});

it('a look over two shards is held until both have answered, and what it does not show is peeked at the least time that they had reached', async () => {
  await straighten(claret, 'Three');
  claret
    .transaction('Three', async (tx: Tx) => {
      for (const key of [x, y, z]) await tx.counter(key).value();
      tx.counter(x).add(1);
    })
    .catch(() => {});
  const peek = (frames: any[]) => all(frames, 'peeks')[0].ticket;
  const [first] = await heard();
  shard.say({ peeks: [{ ticket: peek(first), value: integer(1), changedAt: '5', at: '20' }] });
  shard.other.say({ peeks: [{ ticket: peek((await heard())[1]), busy: true }] });
  const [, lookAtY] = await heard();
  expect(membersOf(lookAtY)).toMatchObject([{ n: 1, keys: [y] }]);
  shard.other.say({ members: [answer(1, [1], { at: '30' })] });
  shard.say({ peeks: [{ ticket: peek((await heard())[0]), busy: true }] });
  await heard();
  shard.grantTurn();
  const [here, there] = await heard();
  expect(membersOf([...here, ...there])).toMatchObject([{ n: 2 }, { n: 2 }]);
  shard.say({ members: [answer(2, [1], { at: '60' })] });
  expect(all((await heard()).flat(), 'withdrawn'), 'it is held until both have answered').toEqual([]);
  shard.other.say({ members: [answer(2, [1], { at: '50' })] });
  const [look, elsewhere] = await heard();
  for (const frames of [look, elsewhere]) expect(all(frames, 'withdrawn')).toMatchObject([{ n: '2' }]);
  expect(all(look, 'peeks')).toMatchObject([{ at: '50' }]);
});
