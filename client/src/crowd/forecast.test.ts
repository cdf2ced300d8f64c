// Sessions, lists and forecasts against a scripted shard, for behaviour that real shards cannot easily be made to show.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { TestConnectOptions } from '../connect.ts';
import { addTo, answer, ChainedShard, codeOf, conditions, errorOf, integer, sentOf, shown, straighten } from '../testing/chained-shard.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Tx } from '../transaction/tx.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let claret: Claret;
afterEach(() => claret.close(0));

async function chainedTo(...options: Parameters<ChainedShard['connect']>): Promise<ChainedShard> {
  const shard = new ChainedShard();
  claret = await shard.connect(...options);
  return shard;
}

describe('a session', () => {
  it('gets boards while forecasts use them, also after it was lost', async () => {
    const time = new SteppedEnvironment();
    const shard = await chainedTo({ environment: time });
    void claret.transact('List', [claret.on.counter('x').value()]).catch(() => {});
    await straighten(claret, 'Add');
    const asked = async () => (await shard.frames()).flatMap(({ boards }) => boards ?? []);
    expect(await asked()).toEqual([]);
    claret.transaction('Add', addTo('x')).catch(() => {});
    expect(await asked()).toEqual([true]);
    shard.breakSession();
    for (let i = 0; i < 3; i++) time.pass(100);
    expect(await asked()).toEqual([true]);
    time.pass(1_001);
    shard.say({});
    expect(await asked()).toEqual([false]);
  });

  it('takes no board that goes on from what it has not seen', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Add');
    shard.say({ board: { at: '5', shown: [shown('x', 1)] } });
    await shard.frames();
    claret.transaction('Add', addTo('x')).catch(() => {});
    expect((await shard.frames()).flatMap(({ peeks }) => peeks)).toHaveLength(1);
    shard.say({ board: { at: '6', anew: true, shown: [shown('x', 2), shown('y', 2)] } });
    shard.say({ board: { at: '7', anew: true, shown: [shown('x', 3)] } });
    await shard.frames();
    claret.transaction('Add', addTo('y')).catch(() => {});
    expect((await shard.frames()).flatMap(({ peeks }) => peeks)).toHaveLength(1);
  });

  it.each([
    [{ ...conditions, phasing: false }, 'always'],
    [{ ...conditions, combining: 'off' }, 'always'],
    [conditions, 'off'],
    [conditions, undefined],
  ] as const)('sends no chains under %o with the option %s', async (with_, combining) => {
    const shard = await chainedTo({ combining } as TestConnectOptions, 1, with_);
    void claret.transact('List', [claret.on.counter('x').value()]).catch(() => {});
    const [frame] = (await shard.frames()).filter(({ requests, members }) => requests.length + members.length > 0);
    expect(frame).toMatchObject({ members: [], requests: [{ begin: { label: 'List' } }] });
  });
});

describe('a list on one shard', () => {
  it('is a member that ends by itself', async () => {
    const shard = await chainedTo();
    const result = claret.transact('List', [claret.on.counter('x').value(), claret.on.counter('x').add(1)]);
    const [member] = await shard.members();
    expect(member).toMatchObject({ chain: 1, n: 1, ends: true, label: 'List', keys: ['x', 'x'] });
    shard.say({ members: [answer(1, [7], { committedAt: '9' })] });
    expect(await result).toEqual([7, undefined]);
    expect(claret.counters).toMatchObject({ commits: 1, members: 1, secondRuns: 0 });
  });

  it('whose session is lost is asked for by its id, and its results are lost if it has committed', async () => {
    const shard = await chainedTo();
    const lost = claret.transact('List', [claret.on.counter('x').value(), claret.on.counter('x').add(1)]);
    const changed = claret.transact('List', [claret.on.counter('x').add(1)]);
    lost.catch(() => {});
    expect(await shard.members()).toHaveLength(2);
    shard.breakSession();
    const isAsked = ({ inquiries }: any) => inquiries.length === 2;
    const { inquiries } = await shard.frame(isAsked);
    shard.say({ answers: inquiries.map(({ ticket, id }: any) => ({ ticket, id, state: 'COMMITTED', timestamp: '7' })) });
    await expect(lost).rejects.toMatchObject({ code: 'result_lost', commitState: 'applied' });
    await changed;
  });

  it('that only observes is sent again after its session was lost', async () => {
    const shard = await chainedTo();
    const result = claret.transact('List', [claret.on.counter('x').value()]);
    expect(await shard.members()).toHaveLength(1);
    shard.breakSession();
    const again = await shard.frame((frame) => frame.members.some((member: any) => member.chain === '2'));
    expect(again.members.map(sentOf)).toMatchObject([{ n: 1, ends: true }]);
    shard.say({ members: [{ chain: '2', n: '1', results: [integer(3)], committedAt: '9' }] });
    expect(await result).toEqual([3]);
  });
});

describe('a list with one operation at a time', () => {
  it('is forecast as a body would be that awaits each, and runs twice', async () => {
    const shard = await chainedTo({ oneAtATime: true });
    const result = claret.transact('List', [claret.on.counter('x').add(1), claret.on.counter('x').value(), claret.on.counter('y').value()]);
    const peekOf = async () => (await shard.frames()).flatMap(({ peeks }) => peeks)[0];
    const x = await peekOf();
    expect(x).toMatchObject({ at: '0', operation: { key: 'x' } });
    shard.say({ peeks: [{ ticket: x.ticket, value: integer(1), at: '50' }] });
    const y = await peekOf();
    expect(y).toMatchObject({ at: '0', operation: { key: 'y' } });
    shard.say({ peeks: [{ ticket: y.ticket, value: integer(2), at: '50' }] });
    expect(await shard.members()).toMatchObject([{ ends: false, keys: ['x', 'x', 'y'] }]);
    shard.say({ members: [answer(1, [3, 4])] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }] });
    expect(await result).toEqual([undefined, 3, 4]);
    expect(claret.counters).toMatchObject({ members: 1, secondRuns: 1 });
  });
});

describe('a forecast', () => {
  it('begins once eight bodies of the label have awaited nothing but operations', async () => {
    const shard = await chainedTo();
    for (let i = 0; i < 8; i++) await claret.transaction('Slow', async () => await pause(2));
    await straighten(claret, 'Fast');
    void claret.transaction('Slow', addTo('x')).catch(() => {});
    void claret.transaction('Fast', addTo('x')).catch(() => {});
    const frames = await shard.frames();
    expect(frames.flatMap(({ requests }) => requests.map(({ begin }: any) => begin.label))).toEqual(['Slow']);
    expect(frames.flatMap(({ peeks }) => peeks)).toHaveLength(1);
  });

  it.each([{ forecast: false }, { now: true }, { attemptsMax: 1 }])('is not made with the option %o', async (options) => {
    const shard = await chainedTo();
    await straighten(claret, 'Add');
    void claret.transaction('Add', addTo('x'), options).catch(() => {});
    expect((await shard.frames()).flatMap(({ requests }) => requests)).toHaveLength(1);
  });

  it('is given copies of what the picture shows, and sends nothing before it ends', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Members');
    const members = { key: 's', code: codeOf('Set.members'), arguments: [integer(9), {}] };
    shard.say({ board: { at: '5', anew: true, shown: [{ operation: members, result: { list: { items: [{ text: 'a' }] } } }] } });
    await shard.frames();
    const seen: unknown[] = [];
    const body = async (tx: Tx) => {
      const list = await tx.set('s').members(9, null);
      seen.push([...list]);
      list.length = 0;
      seen.push([...(await tx.set('s').members(9, null))]);
      tx.set('s').add('b');
    };
    void claret.transaction('Members', body).catch(() => {});
    const frames = await shard.frames();
    expect(seen).toEqual([['a'], ['a']]);
    expect(frames).toHaveLength(1);
    expect(frames[0].members.map(sentOf)).toMatchObject([{ ends: false, keys: ['s', 's', 's'] }]);
  });

  it.each([
    ['is given peeks that were right at one time', { changedAt: '20', at: '50' }, { changedAt: '50', at: '70' }, 1],
    ['begins anew if its peeks were right at no common time', { changedAt: '20', at: '50' }, { changedAt: '51', at: '70' }, 2],
  ])('%s', async (_, atX, atY, runs) => {
    const shard = await chainedTo();
    await straighten(claret, 'Both');
    let began = 0;
    const result = claret.transaction('Both', async (tx) => {
      began++;
      const [x, y] = await Promise.all([tx.counter('x').value(), tx.counter('y').value()]);
      return Number(x) + Number(y);
    });
    const peeks = (await shard.frames()).flatMap((frame) => frame.peeks);
    expect(peeks).toMatchObject([
      { at: '0', operation: { key: 'x' } },
      { at: '0', operation: { key: 'y' } },
    ]);
    shard.say({
      peeks: [
        { ticket: peeks[0].ticket, value: integer(1), ...atX },
        { ticket: peeks[1].ticket, value: integer(2), ...atY },
      ],
    });
    const frames = await shard.frames();
    expect(began).toBe(runs);
    expect(claret.counters.begunAnew).toBe(runs - 1);
    if (runs > 1) return void result.catch(() => {});
    expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: 1, keys: ['x', 'y'] }]);
    shard.say({ members: [answer(1, [10, 20])] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }] });
    expect(await result).toBe(30);
  });

  it('has the time of the picture from its first result of it, and keeps to it when the next board comes', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Both');
    const shown = (key: string, value: number) => ({ operation: { key, code: codeOf('Counter.value') }, result: integer(value) });
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1), shown('z', 7)] } });
    await shard.frames();
    const seen: number[] = [];
    void claret
      .transaction('Both', async (tx) => {
        for (const key of ['x', 'y', 'z']) seen.push(Number(await tx.counter(key).value()));
      })
      .catch(() => {});
    const [peek] = (await shard.frames()).flatMap(({ peeks }) => peeks);
    expect(peek).toMatchObject({ at: '5', operation: { key: 'y' } });
    shard.say({
      board: { at: '8', shown: [shown('x', 2), shown('z', 8)] },
      peeks: [{ ticket: peek.ticket, value: integer(3), changedAt: '5', at: '8' }],
    });
    expect(await shard.members()).toHaveLength(1);
    expect(seen).toEqual([1, 3, 7]);
  });

  it('that was given the true results is the only run of its body, also if that changes what it is given', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Right');
    const list = (...items: string[]) => ({ list: { items: items.map((text) => ({ text })) } });
    const members = { key: 's', code: codeOf('Set.members'), arguments: [integer(9), {}] };
    shard.say({ board: { at: '5', anew: true, shown: [{ operation: members, result: list('b', 'a') }] } });
    await shard.frames();
    const runs = [1, 2].map(() => {
      let seen = '';
      return claret.transaction('Right', async (tx) => {
        const names = await tx.set('s').members(9, null);
        seen += names.join('');
        names.sort();
        return { seen, x: tx.counter('x').value() };
      });
    });
    expect(await shard.members()).toHaveLength(2);
    const answered = (n: number, ...names: string[]) => ({ ...answer(n, []), results: [list(...names), integer(4)] });
    shard.say({ members: [answered(1, 'b', 'a'), answered(2, 'a', 'b')] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['1', '2'], at: ['60', '61'] }] });
    const [right, wrong] = await Promise.all(runs);
    expect([right!.seen, await right!.x]).toEqual(['ba', 4]);
    expect([wrong!.seen, await wrong!.x]).toEqual(['baab', 4]);
    expect(claret.counters).toMatchObject({ members: 2, secondRuns: 1, outs: 0 });
  });

  it('whose body throws on the true results throws at once, and changes nothing', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Throw');
    shard.say({ board: { at: '5', anew: true, shown: [{ operation: { key: 'x', code: codeOf('Counter.value') }, result: integer(3) }] } });
    await shard.frames();
    const thrown = claret.transaction('Throw', async (tx) => {
      tx.counter('y').add(1);
      throw new Error(`x is ${await tx.counter('x').value()}`);
    });
    expect(await shard.members()).toMatchObject([{ keys: ['x'] }]);
    shard.say({ members: [answer(1, [3])] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['1'], at: ['60'] }] });
    await expect(thrown).rejects.toThrow('x is 3');
    expect(claret.counters.secondRuns).toBe(0);
  });

  it('begins anew where a peek is busy, after two times on the picture of a look, and never two bodies at once', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Add');
    let running = 0;
    let most = 0;
    const result = claret.transaction('Add', async (tx) => {
      most = Math.max(most, ++running);
      try {
        return await tx.counter('x').value();
      } finally {
        await Promise.resolve();
        running--;
      }
    });
    for (let i = 0; i < 2; i++) {
      const [peek] = (await shard.frames()).flatMap(({ peeks }) => peeks);
      shard.say({ peeks: [{ ticket: peek.ticket, busy: true }] });
    }
    const [look] = await shard.members();
    expect(look).toMatchObject({ n: 1, ends: true, keys: ['x'] });
    shard.say({ members: [answer(1, [5], { committedAt: '90' })] });
    const [member] = await shard.members();
    expect(member).toMatchObject({ n: 2, ends: false, keys: ['x'] });
    expect(member!.id).not.toBe(look!.id);
    shard.say({ members: [answer(2, [6])] });
    await shard.word();
    shard.say({ committed: [{ chain: '1', members: ['2'], at: ['95'] }] });
    expect(await result).toBe(6);
    expect(most).toBe(1);
    expect(claret.counters).toMatchObject({ begunAnew: 2, retries: 0 });
  });

  it('takes locks if a peek fails', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Add');
    void claret.transaction('Add', addTo('x')).catch(() => {});
    const [peek] = (await shard.frames()).flatMap(({ peeks }) => peeks);
    shard.say({ peeks: [{ ticket: peek.ticket, error: errorOf('wrong_type', false) }] });
    expect((await shard.frames()).flatMap(({ requests }) => requests)).toMatchObject([{ begin: { label: 'Add' } }]);
  });

  it('of a body with more than 256 operations takes locks, and its label pauses', async () => {
    const shard = await chainedTo({}, 2);
    await straighten(claret, 'Long');
    const body = (tx: Tx) => Array.from({ length: 257 }).forEach(() => tx.counter('x').add(1));
    for (let i = 0; i < 2; i++) void claret.transaction('Long', async (tx) => body(tx)).catch(() => {});
    const frames = await shard.frames();
    expect(frames.flatMap(({ members }) => members)).toEqual([]);
    expect([...frames, ...shard.other.heard].flatMap(({ requests }) => requests).length).toBeGreaterThan(1);
  });

  it('of a body that awaits a fresh result takes locks', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Id');
    void claret.transaction('Id', async (tx) => await tx.uidGenerator('ids').next()).catch(() => {});
    expect((await shard.frames()).flatMap(({ requests }) => requests)).toHaveLength(1);
  });

  it('whose body throws before anything was guessed sends nothing', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Throw');
    const thrown = claret.transaction('Throw', async (tx) => {
      tx.counter('x').add(1);
      throw new Error('never');
    });
    await expect(thrown).rejects.toThrow('never');
    expect(await shard.members()).toEqual([]);
  });
});
