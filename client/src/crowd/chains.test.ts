// Members and their chains against a scripted shard, for behaviour that real shards cannot easily be made to show.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { Scope } from '../limits/scope.ts';
import type { HistoryAttempt } from '../reports/history.ts';
import type { Receipt } from '../reports/receipt.ts';
import {
  addTo,
  answer,
  ChainedShard,
  codeOf,
  errorOf,
  integer,
  sentOf,
  shown,
  straighten,
  turn,
  twoMembers,
  type Body,
} from '../testing/chained-shard.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Tx } from '../transaction/tx.ts';

let claret: Claret;
afterEach(() => claret.close(0));

async function chainedTo(...options: Parameters<ChainedShard['connect']>): Promise<ChainedShard> {
  const shard = new ChainedShard();
  claret = await shard.connect(...options);
  return shard;
}

const two = (shard: ChainedShard, bodies?: [Body, Body]) => twoMembers(shard, claret, bodies);

describe('a member', () => {
  it('is in if its body makes the same operations on the results, and its caller gets those of the second run', async () => {
    const shard = await chainedTo();
    const receipts: Receipt[] = [];
    await straighten(claret, 'Add');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    const result = claret.observed((receipt) => void receipts.push(receipt)).transaction('Add', addTo('x'));
    expect(await shard.members()).toMatchObject([{ n: 1, ends: false, keys: ['x', 'x'] }]);
    shard.say({ members: [answer(1, [41], { waited: { microseconds: 12, locks: 1 } })] });
    expect((await shard.word()).words).toEqual([{ chain: '1', members: ['1'], answers: '1' }]);
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }] });
    expect(await result).toBe(41);
    expect(receipts).toMatchObject([
      { outcome: 'committed', body_runs: 2, forecasts_out: 0, operations: 2, shards: 1, waited_us: 12, locks_waited: 1 },
    ]);
  });

  it('that is out is withdrawn, and its transaction is forecast again at once; after too many times it takes locks', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Fickle');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    const result = claret.transaction('Fickle', async (tx) => {
      const odd = Number(await tx.counter('x').value()) % 2 === 1;
      tx.counter(odd ? 'odd' : 'even').add(1);
    });
    result.catch(() => {});
    expect(await shard.members()).toMatchObject([{ n: 1, keys: ['x', 'odd'] }]);
    shard.say({ members: [answer(1, [2])] });
    const [withdrawn, again] = await shard.frames();
    expect(withdrawn).toMatchObject({ withdrawn: [{ chain: '1', n: '1', count: '1' }], words: [] });
    expect(again.members.map(sentOf)).toMatchObject([{ n: 2, keys: ['x', 'odd'] }]);
    for (let n = 2; n <= 8; n++) {
      shard.say({ members: [answer(n, [2], { withdrawals: String(n - 1) })] });
      const frames = await shard.frames();
      expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual([{ chain: '1', n: String(n), count: String(n) }]);
      if (n < 8) expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: n + 1 }]);
      else expect(frames.flatMap(({ requests }) => requests)).toMatchObject([{ begin: { label: 'Fickle', retries: 8 } }]);
    }
    expect(claret.counters).toMatchObject({ outs: 8, retries: 8 });
  });

  it('is out if an object that its body writes has changed since the forecast', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Row');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    const row: Record<string, number> = {};
    void claret
      .transaction('Row', async (tx) => {
        row.n = Number(await tx.counter('x').value());
        tx.dict('rows').set(row);
      })
      .catch(() => {});
    expect(await shard.members()).toMatchObject([{ n: 1 }]);
    shard.say({ members: [answer(1, [2])] });
    const frames = await shard.frames();
    expect(frames.flatMap(({ words }) => words)).toEqual([]);
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toMatchObject([{ n: '1' }]);
  });

  it('is concluded only when all lower ones are', async () => {
    const shard = await chainedTo();
    const order: number[] = [];
    const noted = (which: number) => async (tx: Tx) => {
      await tx.counter('x').value();
      order.push(which);
      tx.counter('x').add(1);
    };
    await two(shard, [noted(1), noted(2)]);
    expect(order.splice(0)).toEqual([1, 2]);
    shard.say({ members: [answer(2, [8])] });
    expect(await shard.frames()).toEqual([]);
    expect(order).toEqual([]);
    shard.say({ members: [answer(1, [7])] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toEqual([{ chain: '1', members: ['1', '2'], answers: '2' }]);
    expect(order).toEqual([1, 2]);
  });

  it('above a withdrawn one waits for an answer that knows of it, if it observes what that one changed', async () => {
    const shard = await chainedTo();
    const fickle = async (tx: Tx) => {
      if (Number(await tx.counter('x').value()) === 1) tx.counter('x').add(1);
    };
    await two(shard, [fickle, addTo('x')]);
    shard.say({ members: [answer(1, [2]), answer(2, [3])] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toEqual([]);
    shard.say({ members: [answer(2, [2], { withdrawals: '1' })] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toEqual([{ chain: '1', members: ['2'], answers: '3' }]);
  });

  it('above a withdrawn one is concluded with its answer, if it has nothing to do with what that one changed', async () => {
    const shard = await chainedTo();
    const fickle = async (tx: Tx) => {
      if (Number(await tx.counter('x').value()) === 1) tx.counter('x').add(1);
    };
    await two(shard, [fickle, addTo('y')]);
    shard.say({ members: [answer(1, [2]), answer(2, [3])] });
    const [frame] = await shard.frames();
    expect(frame).toMatchObject({ withdrawn: [{ n: '1', count: '1' }], words: [{ members: ['2'], answers: '2' }] });
  });

  it('that was denied is concluded in the order of its new number', async () => {
    const shard = await chainedTo();
    await two(shard);
    shard.say({ members: [{ chain: '1', n: '1', withdrawals: '1', error: { ...errorOf('denied'), key: 'x' } }] });
    expect(await shard.members()).toMatchObject([{ n: 3 }]);
    shard.say({ members: [answer(3, [8], { withdrawals: '1' })] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toEqual([]);
    shard.say({ members: [answer(2, [7], { withdrawals: '1' })] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toMatchObject([{ members: ['2', '3'] }]);
  });

  it('that was refused leaves those above it to new answers, and is sent again with a new number, in the end with locks', async () => {
    const shard = await chainedTo();
    const denied = { ...errorOf('denied'), key: 'x', operation: 'Counter.value' };
    await two(shard);
    shard.say({ members: [answer(2, [3]), { chain: '1', n: '1', withdrawals: '1', error: denied }] });
    const frames = await shard.frames();
    expect(frames.flatMap(({ words }) => words)).toEqual([]);
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual([]);
    expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: 3 }]);
    const isLocked = ({ requests }: any) => requests.some(({ begin }: any) => begin?.label === 'Add');
    for (let n = 3; !shard.heard.some(isLocked) && n < 100; n++) {
      shard.say({ members: [{ chain: '1', n: String(n), error: denied }] });
      await shard.frame((frame) => isLocked(frame) || frame.members.some((member: any) => member.n === String(n + 1)));
    }
    expect(shard.heard.filter(isLocked)).toMatchObject([{ requests: [{ begin: { retries: 0 } }] }]);
    expect(claret.counters.membersDenied).toBeGreaterThan(3);
  });

  it('fails with the error that its shard reports', async () => {
    const shard = await chainedTo();
    const result = claret.transact('List', [claret.on.counter('x').add(1)]);
    result.catch(() => {});
    await shard.members();
    shard.say({ members: [{ chain: '1', n: '1', error: { ...errorOf('out_of_range', false), key: 'x' } }] });
    await expect(result).rejects.toMatchObject({ code: 'out_of_range', key: 'x', commitState: 'none' });
  });

  it('that is refused takes locks if its body had guessed, since a guess may have been wrong', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Take');
    shard.say({
      board: { at: '5', anew: true, shown: [{ operation: { key: 'x', code: codeOf('BoundedCounter.value') }, result: integer(1) }] },
    });
    await shard.frames();
    const result = claret.transaction('Take', async (tx) => {
      const left = await tx.boundedCounter('x').value();
      if (left > 0) await tx.boundedCounter('x').decrement(1);
      return left;
    });
    result.catch(() => {});
    expect(await shard.members()).toMatchObject([{ n: 1, keys: ['x', 'x'] }]);
    shard.say({ members: [{ chain: '1', n: '1', error: { ...errorOf('below_bound', false), key: 'x' } }] });
    const { requests } = await shard.frame((frame) => frame.requests.length > 0);
    expect(requests).toMatchObject([{ begin: { label: 'Take', retries: 0 }, operations: [{ key: 'x' }] }]);
  });

  it('whose body threw observes only; the second run decides', async () => {
    const shard = await chainedTo();
    const refuse = async (tx: Tx) => {
      tx.counter('y').add(1);
      if (Number(await tx.counter('x').value()) < 5) throw new Error('too few');
      return 'enough';
    };
    const [first, second] = await two(shard, [refuse, refuse]);
    expect(shard.heard.at(-1).members.map(sentOf)).toMatchObject([{ keys: ['x'] }, { keys: ['x'] }]);
    shard.say({ members: [answer(1, [2]), answer(2, [7])] });
    const { words } = await shard.word();
    expect(words).toEqual([{ chain: '1', members: ['1'], answers: '2' }]);
    const { withdrawn } = await shard.frame((frame) => frame.withdrawn.length > 0);
    expect(withdrawn).toEqual([{ chain: '1', n: '2', count: '1' }]);
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }] });
    await expect(first).rejects.toThrow('too few');
    // It goes again, on the picture, where there are still too few.
    const [again] = await shard.members();
    expect(again).toMatchObject({ n: 3 });
    second.catch(() => {});
  });

  it('that is called off or out of time is withdrawn, and those above it go on', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Add');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1), shown('y', 1)] } });
    await shard.frames();
    const scope = new Scope();
    const calledOff = claret.within(scope).transaction('Add', addTo('x'));
    const late = claret.transaction('Add', addTo('x'), { timeoutMs: 20 });
    const other = claret.transaction('Add', addTo('y'));
    for (const result of [calledOff, late, other]) result.catch(() => {});
    expect(await shard.members()).toHaveLength(3);
    shard.say({ members: [answer(3, [5])] });
    scope.callOff();
    await expect(calledOff).rejects.toMatchObject({ code: 'called_off', commitState: 'none' });
    await expect(late).rejects.toMatchObject({ code: 'gave_up', commitState: 'none' });
    const frames = await shard.frames();
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual([
      { chain: '1', n: '1', count: '1' },
      { chain: '1', n: '2', count: '2' },
    ]);
    expect(frames.flatMap(({ words }) => words)).toMatchObject([{ members: ['3'] }]);
  });

  it('is recorded once, with the last run of its body, and reported before its word leaves', async () => {
    const history: HistoryAttempt[] = [];
    const before: number[] = [];
    const shard = await chainedTo({
      history: (attempt) => void history.push(structuredClone(attempt)),
      beforeCommit: () => void before.push(shard.heard.filter(({ words }) => words.length > 0).length),
    });
    await two(shard);
    history.length = 0;
    shard.say({ members: [answer(1, [7]), answer(2, [8])] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['1', '2'], at: ['60', '61'] }] });
    await shard.frames();
    expect(before).toEqual([0, 0]);
    expect(history).toMatchObject([
      { outcome: 'ok', order: '60', ops: [{ op: 'value', result: 7 }, { op: 'add' }] },
      { outcome: 'ok', order: '61', ops: [{ op: 'value', result: 8 }, { op: 'add' }] },
    ]);
  });
});

describe('words', () => {
  it('leave before the callers of what has committed go on', async () => {
    const shard = await chainedTo();
    const [first] = await two(shard);
    shard.say({ members: [answer(1, [7])] });
    await shard.word();
    await shard.frames();
    let sentAtOnce = 0;
    const next = first.then(() => {
      sentAtOnce = claret.counters.frames;
      return claret.transact('Next', [claret.on.counter('x').add(1)]);
    });
    next.catch(() => {});
    const before = claret.counters.frames;
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }], members: [answer(2, [8])] });
    const frames = await shard.frames();
    expect(sentAtOnce).toBe(before + 1);
    expect(frames[0]).toMatchObject({ words: [{ members: ['2'] }], members: [] });
    expect(frames[1].members.map(sentOf)).toMatchObject([{ label: 'Next' }]);
  });

  it('leave although too many frames with requests are in flight', async () => {
    const shard = await chainedTo();
    await two(shard, [addTo('y'), addTo('x')]);
    shard.acknowledges = false;
    for (let i = 0; i < 12; i++) {
      void claret.transact('Fill', [claret.on.counter('z').add(1)]).catch(() => {});
      await turn();
    }
    shard.say({ members: [answer(1, [7])] });
    expect((await shard.frames()).flatMap(({ words }) => words)).toMatchObject([{ members: ['1'] }]);
  });
});

it('words do not wait long for other bodies', async () => {
  const time = new SteppedEnvironment();
  const shard = await chainedTo({ environment: time });
  const slow = async (tx: Tx) => {
    const value = await tx.counter('x').value();
    time.pass(3);
    tx.counter('x').add(1);
    return value;
  };
  await two(shard, [slow, slow]);
  const third = claret.transaction('Add', slow);
  third.catch(() => {});
  await shard.frames();
  shard.say({ members: [answer(1, [7]), answer(2, [8]), answer(3, [9])] });
  const frames = await shard.frames();
  expect(frames.flatMap(({ words }) => words).map(({ members }) => members)).toEqual([['1', '2'], ['3']]);
});

it('the last attempt that a transaction may have takes locks', async () => {
  const shard = await chainedTo();
  await straighten(claret, 'Fickle');
  shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
  await shard.frames();
  const fickle = async (tx: Tx) => {
    const odd = Number(await tx.counter('x').value()) % 2 === 1;
    tx.counter(odd ? 'odd' : 'even').add(1);
  };
  void claret.transaction('Fickle', fickle, { attemptsMax: 2 }).catch(() => {});
  expect(await shard.members()).toHaveLength(1);
  shard.say({ members: [answer(1, [2])] });
  const { requests } = await shard.frame((frame) => frame.requests.length > 0);
  expect(requests).toMatchObject([{ begin: { label: 'Fickle', retries: 1 } }]);
});

describe('a chain that is broken', () => {
  it('leaves those that were decided to their answers, and all others go again at once in the next one', async () => {
    const shard = await chainedTo();
    const [first, second] = await two(shard);
    shard.say({ members: [answer(1, [7])] });
    await shard.word();
    await shard.frames();
    shard.say({ broken: [{ chain: '1', decided: '1', error: errorOf('chain_broken') }] });
    expect(await shard.members()).toMatchObject([{ chain: 2, n: 1, label: 'Add' }]);
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }], members: [{ chain: '2', n: '1', results: [integer(8)] }] });
    expect(await first).toBe(7);
    await shard.frame(({ words }) => words.some((word: any) => word.chain === '2'));
    shard.say({ committed: [{ chain: '2', members: ['1'], at: ['61'] }] });
    expect(await second).toBe(8);
    expect(claret.counters).toMatchObject({ chainsBroken: 1, commits: 10, retries: 1 });
  });

  it('eight times makes its transactions take locks', async () => {
    const shard = await chainedTo();
    await two(shard);
    for (let chain = 1; chain <= 8; chain++) {
      expect(shard.heard.some(({ requests }) => requests.length > 0)).toBe(false);
      shard.say({ broken: [{ chain: String(chain), decided: '0', error: errorOf('chain_broken') }] });
      await shard.frames();
    }
    expect(shard.heard.flatMap(({ requests }) => requests)).toMatchObject([{ begin: { retries: 8 } }, { begin: { retries: 8 } }]);
  });

  it('takes back a word, too', async () => {
    const shard = await chainedTo();
    await two(shard);
    shard.say({ members: [answer(1, [7])] });
    await shard.word();
    await shard.frames();
    shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    expect(await shard.members()).toMatchObject([
      { chain: 2, n: 1 },
      { chain: 2, n: 2 },
    ]);
  });
});

describe('a lost session', () => {
  it('is asked for the outcome of what a word has named; everything else goes again', async () => {
    const shard = await chainedTo();
    const [first, second] = await two(shard);
    shard.say({ members: [answer(1, [7])] });
    await shard.word();
    shard.breakSession();
    const { inquiries } = await shard.frame((frame) => frame.inquiries.length > 0);
    expect(inquiries).toHaveLength(1);
    shard.say({ answers: [{ ticket: inquiries[0].ticket, id: inquiries[0].id, state: 'COMMITTED', timestamp: '60' }] });
    expect(await first).toBe(7);
    // Its picture is gone with the session.
    const { peeks } = await shard.frame((frame) => frame.peeks.length > 0);
    shard.say({ peeks: [{ ticket: peeks[0].ticket, value: integer(8), at: '70' }] });
    const again = await shard.frame((frame) => frame.members.some((member: any) => member.chain === '2'));
    expect(again.members.map(sentOf)).toMatchObject([{ chain: 2, n: 1 }]);
    shard.say({ members: [{ chain: '2', n: '1', results: [integer(8)] }] });
    await shard.frame(({ words }) => words.some((word: any) => word.chain === '2'));
    shard.say({ committed: [{ chain: '2', members: ['1'], at: ['71'] }] });
    expect(await second).toBe(8);
  });

  it('gives nothing from its picture to a forecast under way', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Two');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    let runs = 0;
    void claret
      .transaction('Two', async (tx) => {
        runs++;
        await tx.counter('x').value();
        await tx.counter('cold').value();
      })
      .catch(() => {});
    expect((await shard.frames()).flatMap(({ peeks }) => peeks)).toHaveLength(1);
    shard.breakSession();
    const { peeks } = await shard.frame((frame) => frame.peeks.length > 0 && shard.sessions === 2 && frame.peeks[0].at === '0');
    expect(peeks).toMatchObject([{ operation: { key: 'x' } }]);
    expect(runs).toBe(2);
  });
});

it('a client that closes runs no body again, and reports what may have committed as unknown', async () => {
  const history: HistoryAttempt[] = [];
  const shard = await chainedTo({ history: (attempt) => void history.push(attempt) });
  const [first, second] = await two(shard);
  history.length = 0;
  shard.say({ members: [answer(1, [7])] });
  await shard.word();
  await claret.close(0);
  await expect(first).rejects.toMatchObject({ code: 'client_closed', commitState: 'unknown' });
  await expect(second).rejects.toMatchObject({ code: 'client_closed', commitState: 'none' });
  expect(history.map(({ outcome }) => outcome).sort()).toEqual(['fail', 'unknown']);
});
