// Members of several shards, their batches and turns, against two scripted shards.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { addTo, all, answer, ChainedShard, codeOf, errorOf, integer, membersOf, sentOf, straighten } from '../testing/chained-shard.ts';
import type { HistoryAttempt } from '../reports/history.ts';
import { keyOn } from '../testing/keys.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Tx } from '../transaction/tx.ts';

let claret: Claret;
let shard: ChainedShard;
let time: SteppedEnvironment;
const x = keyOn(0);
const y = keyOn(1);

beforeEach(async () => {
  shard = new ChainedShard();
  time = new SteppedEnvironment();
  claret = await shard.connect({ environment: time }, 2);
});
afterEach(() => claret.close(0));

const heard = () => shard.both();

/** A list over both shards, in a turn. Returns its result. */
function sendList(label = 'Both'): Promise<unknown[]> {
  const result = claret.transact(label, [
    claret.on.counter(x).value(),
    claret.on.counter(y).value(),
    claret.on.counter(x).add(1),
    claret.on.counter(y).add(1),
  ]);
  return result;
}

async function inTurn(): Promise<void> {
  sendList().catch(() => {});
  await heard();
  shard.grantTurn(100);
}

function answerBoth(n: number, left: number, right: number, more: object = {}): void {
  shard.say({ members: [answer(n, [left], more)] });
  shard.other.say({ members: [answer(n, [right], more)] });
}

describe('a list over two shards', () => {
  it('waits for a turn, is sent to both under one number, prepares in a batch, and commits at the greatest vote', async () => {
    const result = sendList();
    result.catch(() => {});
    expect((await heard())[0]).toMatchObject([{ turn: 'WANT', members: [] }]);
    shard.grantTurn(100);
    const [here, there] = await heard();
    expect(membersOf(here)).toMatchObject([{ n: 1, ends: false, label: 'Both', keys: [x, x] }]);
    expect(membersOf(there)).toMatchObject([{ n: 1, ends: false, label: 'Both', keys: [y, y], id: membersOf(here)[0]!.id }]);
    expect(all([...here, ...there], 'members').map(({ turn }) => turn)).toEqual(['100', '100']);
    answerBoth(1, 7, 8);
    const [prepares, others] = await heard();
    const expected = { chain: '1', members: ['1'], answers: '1', first: '1', last: '1', request: { prepare: { participants: [0, 1] } } };
    expect(all(prepares, 'batches')).toMatchObject([expected]);
    expect(all(others, 'batches')).toMatchObject([expected]);
    const { attempt } = all(prepares, 'batches')[0].request;
    shard.voteBoth(attempt, 50 * 256, 60 * 256 + 1);
    const [outcome, same] = await heard();
    expect(outcome.find(({ committed }) => committed.length > 0)).toMatchObject({
      committed: [attempt],
      committedAt: [String(60 * 256 + 1)],
    });
    expect(same.find(({ committed }) => committed.length > 0)).toMatchObject({ committed: [attempt] });
    expect(await result).toEqual([7, 8, undefined, undefined]);
    expect(claret.counters).toMatchObject({ batches: 1, batchMembers: 1, commits: 1, secondRuns: 0 });
  });

  it('is reported before its batch leaves, with what the shards are asked about', async () => {
    await claret.close(0);
    const reports: (HistoryAttempt & { batchesHeard: number })[] = [];
    shard = new ChainedShard();
    claret = await shard.connect(
      {
        environment: time,
        history: () => {},
        beforeCommit: (attempt) => void reports.push({ ...attempt, batchesHeard: all(shard.heard, 'batches').length }),
      },
      2,
    );
    const results = ['First', 'Second'].map((label) => sendList(label));
    for (const result of results) result.catch(() => {});
    await heard();
    shard.grantTurn(100);
    await heard();
    shard.say({ members: [answer(1, [7]), answer(2, [8])] });
    shard.other.say({ members: [answer(1, [8]), answer(2, [9])] });
    const [batch] = all((await heard())[0], 'batches');
    expect(batch.members).toEqual(['1', '2']);
    const id = batch.request.begin.id.toString('hex') as string;
    expect(reports.map(({ label, batch: told }) => [label, told])).toEqual([
      ['First', undefined],
      ['Second', undefined],
      ['First', { id, after: 0 }],
      ['Second', { id, after: 256 }],
    ]);
    expect(reports.map(({ batchesHeard }) => batchesHeard)).toEqual([0, 0, 0, 0]);
  });

  it('that one shard denies is withdrawn at the other, and sent again with another number', async () => {
    await inTurn();
    await heard();
    shard.other.say({ members: [answer(1, [8])] });
    await heard();
    shard.say({ members: [{ chain: '1', n: '1', error: errorOf('denied') }] });
    const [here, there] = await heard();
    expect(all(here, 'withdrawn')).toEqual([]);
    expect(all(there, 'withdrawn')).toEqual([{ chain: '1', n: '1', count: '1' }]);
    expect(membersOf(here)).toMatchObject([{ n: 2 }]);
    expect(membersOf(there)).toMatchObject([{ n: 2 }]);
  });

  it('is aborted with its batch if a shard refuses, begins a new chain everywhere, and runs again', async () => {
    await inTurn();
    await heard();
    answerBoth(1, 7, 8);
    const { attempt } = all((await heard())[0], 'batches')[0].request;
    shard.say({ replies: [{ attempt, votedAt: '50' }] });
    shard.other.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    shard.other.say({ replies: [{ attempt, error: errorOf('chain_broken') }] });
    const [here, there] = await heard();
    expect(all(here, 'aborted')).toEqual([attempt]);
    expect(all(there, 'aborted')).toEqual([]);
    expect(here.map(({ chain }) => chain)).toContain('2');
    expect(membersOf([...here, ...there])).toMatchObject([
      { chain: 2, n: 1 },
      { chain: 2, n: 1 },
    ]);
    expect(claret.counters).toMatchObject({ batchesAborted: 1, chainsBroken: 1 });
  });

  it('whose vote is lost with the session is settled by an inquiry', async () => {
    const result = sendList();
    result.catch(() => {});
    await heard();
    shard.grantTurn(100);
    await heard();
    answerBoth(1, 7, 8);
    const { attempt } = all((await heard())[0], 'batches')[0].request;
    shard.say({ replies: [{ attempt, votedAt: '512' }] });
    shard.other.breakSession();
    await heard();
    time.pass(1_000);
    const [inquiry] = all((await heard())[1], 'inquiries');
    shard.other.say({ answers: [{ ticket: inquiry.ticket, state: 'VOTED', timestamp: '768', id: inquiry.id }] });
    expect(await result).toEqual([7, 8, undefined, undefined]);
    expect(all((await heard())[0], 'committedAt')).toEqual(['768']);
  });
});

it('a list over two shards takes locks while one of them is away, and members at the other one go on', async () => {
  time.pass(1_000); // the client does not go over to chains any more
  shard.other.breakSession();
  sendList('Away').catch(() => {});
  await heard();
  shard.grantTurn(100);
  const single = claret.transact('Single', [claret.on.counter(x).value()]);
  const [here] = await heard();
  expect(membersOf(here)).toMatchObject([{ label: 'Single', ends: true }]);
  expect(all(here, 'requests')).toMatchObject([{ begin: { label: 'Away' } }]);
  shard.say({ members: [answer(1, [4], { committedAt: '9' })] });
  expect(await single).toEqual([4]);
  shard.say({ turn: { number: '100', recalled: true } });
  expect((await heard())[0].map(({ turn }) => turn)).toContain('BACK');
});

it('a single that waits above a batch is taken out at its deadline, and nobody is asked', async () => {
  await inTurn();
  sendList('Second').catch(() => {});
  await heard();
  const short = claret.transact('Short', [claret.on.counter(x).add(1)], { timeoutMs: 80 });
  short.catch(() => {});
  expect(membersOf((await heard())[0])).toMatchObject([{ n: 3, label: 'Short', ends: false }]);
  answerBoth(1, 1, 1);
  await heard();
  answerBoth(2, 2, 2);
  shard.say({ members: [answer(3, [])] });
  await heard();
  time.pass(200);
  await expect(short).rejects.toMatchObject({ commitState: 'none' });
  const [here] = await heard();
  expect(all(here, 'withdrawn')).toEqual([{ chain: '1', n: '3', count: '1' }]);
  expect(all(here, 'inquiries')).toEqual([]);
});

describe('batches', () => {
  it('take all that is concluded, with singles between them, at timestamps in the order of numbers', async () => {
    const results = [sendList('First'), sendList('Second')];
    for (const one of results) one.catch(() => {});
    await heard();
    shard.grantTurn(100);
    const single = claret.transact('Single', [claret.on.counter(x).value()]);
    single.catch(() => {});
    const [here] = await heard();
    expect(membersOf(here)).toMatchObject([
      { n: 1, label: 'First' },
      { n: 2, label: 'Second' },
      { n: 3, label: 'Single', ends: false },
    ]);
    answerBoth(1, 1, 1);
    shard.say({ members: [answer(2, [2]), answer(3, [3])] });
    expect(all((await heard())[0], 'batches')).toMatchObject([{ members: ['1'] }]);
    shard.other.say({ members: [answer(2, [2])] });
    expect(all((await heard())[0], 'batches')).toEqual([]);
    const { attempt } = all(shard.heard, 'batches')[0].request;
    shard.voteBoth(attempt, 256, 512);
    const [frames] = await heard();
    const next = frames.find(({ batches }) => batches.length > 0);
    expect(next).toMatchObject({ committed: [attempt], committedAt: ['512'] });
    expect(next.batches).toMatchObject([{ members: ['2', '3'], answers: '3', first: '2', last: '3' }]);
    shard.voteBoth(next.batches[0].request.attempt, 1024, 768);
    expect(await Promise.all(results)).toEqual([
      [1, 1, undefined, undefined],
      [2, 2, undefined, undefined],
    ]);
    expect(await single).toEqual([3]);
  });

  it('let words of singles below leave before them, and hold back those above', async () => {
    await straighten(claret, 'Add');
    const single = claret.transact('Below', [claret.on.counter(x).value()]);
    sendList().catch(() => {});
    await heard();
    shard.grantTurn(100);
    expect(membersOf((await heard())[0])).toMatchObject([{ n: 2 }]);
    answerBoth(2, 1, 1);
    shard.say({ members: [answer(1, [5], { committedAt: '9' })] });
    expect(await single).toEqual([5]);
    expect(all((await heard())[0], 'batches')).toMatchObject([{ members: ['2'] }]);
    void claret.transact('Above', [claret.on.counter(x).value()]).catch(() => {});
    expect(membersOf((await heard())[0])).toMatchObject([{ n: 3, ends: true, label: 'Above' }]);
  });
});

describe('a broken chain', () => {
  it('is told to the other shards, and what may have had its end there waits for what they say', async () => {
    const results = ['Done', 'Lost'].map((label) => claret.transact(label, [claret.on.counter(y).value()]));
    results[1]!.catch(() => {});
    await inTurn();
    await heard();
    shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    const [here, there] = await heard();
    expect(there.map(({ chain }) => chain)).toContain('2');
    expect(here.map(({ chain }) => chain)).not.toContain('2');
    expect(membersOf(there)).toMatchObject([{ chain: 2, n: 1, label: 'Both' }]);
    shard.other.say({ broken: [{ chain: '1', decided: '1', error: errorOf('chain_broken') }] });
    expect(membersOf((await heard())[1])).toMatchObject([{ chain: 2, label: 'Lost' }]);
    shard.other.say({ members: [answer(1, [4], { committedAt: '9' })] });
    expect(await results[0]).toEqual([4]);
  });

  it('keeps the place of what has not left', async () => {
    await inTurn();
    await heard();
    shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    const [here] = await heard();
    expect(membersOf(here)).toMatchObject([{ chain: 2, n: 1 }]);
  });
});

describe('a turn', () => {
  it('is given back once all that was sent in it is answered, and asked for again if more waits', async () => {
    await inTurn();
    await heard();
    shard.grantTurn(100, true);
    sendList('Later').catch(() => {});
    expect((await heard())[0].filter(({ turn }) => turn !== 'NONE')).toEqual([]);
    answerBoth(1, 1, 1);
    const [here] = await heard();
    expect(here.map(({ turn }) => turn)).toContain('WANT');
    expect(membersOf(here)).toEqual([]);
    shard.grantTurn(200, true);
    expect(membersOf((await heard())[0])).toMatchObject([{ n: 2, label: 'Later' }]);
    answerBoth(2, 1, 1);
    expect((await heard())[0].map(({ turn }) => turn)).toContain('BACK');
  });

  it('is taken if nobody grants it', async () => {
    sendList().catch(() => {});
    await heard();
    time.pass(19);
    expect(membersOf((await heard())[0])).toEqual([]);
    time.pass(1);
    const [member] = all((await heard())[0], 'members');
    expect(BigInt(member.turn)).toBeGreaterThan(0n);
  });
});

describe('a forecast over two shards', () => {
  const bothTo = async (tx: Tx) => {
    const sum = Number(await tx.counter(x).value()) + Number(await tx.counter(y).value());
    tx.counter(x).add(1);
    return sum;
  };

  /** Teaches the client that the label's bodies have records on both shards, in member 1 of its chain. */
  async function widen(label: string): Promise<void> {
    await straighten(claret, label);
    const done = claret.transaction(label, async (tx) => [x, y].forEach((key) => tx.counter(key).add(1)));
    await heard();
    shard.grantTurn(100);
    await heard();
    for (const one of [shard, shard.other]) one.say({ members: [answer(1, [])] });
    shard.voteBoth(all((await heard())[0], 'batches')[0].request.attempt, 256, 512);
    await done;
    await heard();
  }

  it('is given what peeks have in common', async () => {
    await straighten(claret, 'Sum');
    const result = claret.transaction('Sum', bothTo);
    result.catch(() => {});
    const [[peekX]] = [all((await heard())[0], 'peeks')];
    shard.say({ peeks: [{ ticket: peekX.ticket, value: integer(3), changedAt: '5', at: '20' }] });
    const [peekY] = all((await heard())[1], 'peeks');
    shard.other.say({ peeks: [{ ticket: peekY.ticket, value: integer(4), changedAt: '15', at: '30' }] });
    await heard();
    shard.grantTurn(100);
    const [here, there] = await heard();
    expect(membersOf(here)).toMatchObject([{ keys: [x, x] }]);
    expect(membersOf(there)).toMatchObject([{ keys: [y] }]);
    answerBoth(1, 3, 4);
    shard.voteBoth(all((await heard())[0], 'batches')[0].request.attempt, 256, 512);
    expect(await result).toBe(7);
  });

  it('gets a picture by a look, which is taken out, once a peek cannot tell', async () => {
    await widen('Sum');
    const result = claret.transaction('Sum', bothTo);
    result.catch(() => {});
    const [peekX] = all((await heard())[0], 'peeks');
    shard.say({ peeks: [{ ticket: peekX.ticket, busy: true }] });
    const [look] = all((await heard())[0], 'members');
    expect(sentOf(look)).toMatchObject({ n: 2, ends: false, keys: [x] });
    expect(look).toMatchObject({ timed: true, turn: '0' });
    shard.say({ members: [answer(2, [3], { at: '40' })] });
    const [here, there] = await heard();
    expect(all(here, 'withdrawn')).toEqual([{ chain: '1', n: '2', count: '1' }]);
    const [peekY] = all(there, 'peeks');
    expect(peekY).toMatchObject({ at: '40', operation: { key: y, code: codeOf('Counter.value') } });
    shard.other.say({ peeks: [{ ticket: peekY.ticket, value: integer(4), changedAt: '15', at: '45' }] });
    expect(membersOf((await heard())[0])).toMatchObject([{ n: 3, keys: [x, x] }]);
    shard.say({ members: [answer(3, [3], { withdrawals: '1' })] });
    shard.other.say({ members: [answer(3, [4])] });
    shard.voteBoth(all((await heard())[0], 'batches')[0].request.attempt, 1024, 2048);
    expect(await result).toBe(7);
  });

  it('begins anew when the chain of its picture breaks', async () => {
    await widen('Sum');
    claret.transaction('Sum', bothTo).catch(() => {});
    const [peekX] = all((await heard())[0], 'peeks');
    shard.say({ peeks: [{ ticket: peekX.ticket, busy: true }] });
    await heard();
    shard.say({ members: [answer(2, [3], { at: '40' })] });
    const [peekY] = all((await heard())[1], 'peeks');
    shard.say({ broken: [{ chain: '1', decided: '1', error: errorOf('chain_broken') }] });
    await heard();
    shard.other.say({ peeks: [{ ticket: peekY.ticket, value: integer(4), changedAt: '15', at: '45' }] });
    expect(membersOf((await heard())[0])).toMatchObject([{ chain: 2, n: 1, keys: [x] }]);
  });

  it('of a body with records on one shard is made on the picture of that shard', async () => {
    await straighten(claret, 'Add');
    void claret.transaction('Add', addTo(x)).catch(() => {});
    expect(all((await heard())[0], 'peeks')).toHaveLength(1);
  });
});
