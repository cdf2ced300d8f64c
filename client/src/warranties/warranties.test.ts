// Grants, how long they stand, and transactions that they answer, against scripted shards.

import { afterEach, describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '../reports/history.ts';
import type { Receipt } from '../reports/receipt.ts';
import { keyOn } from '../testing/keys.ts';
import type { Tx } from '../transaction/tx.ts';
import { A, A2, B, NOW, TERM_MS, UNTIL, warranting, type World } from '../testing/warranting-shards.ts';

let world: World;
afterEach(() => world.claret.close(0));

const read = (...keys: string[]) =>
  world.claret.transact(
    'Read',
    keys.map((key) => world.claret.on.counter(key).value()),
  );

/** Whether the client answers the read of a counter by itself. */
async function isKnown(key: string): Promise<boolean> {
  const shard = [world.a, world.b].find(({ number }) => number === (key === B ? 1 : 0))!;
  await world.rest();
  const answer = read(key);
  answer.catch(() => {});
  const [request] = await shard.requests();
  if (request === undefined) return (await answer).length === 1;
  shard.say({ replies: [{ attempt: request.attempt, results: [{ integer: '0' }], committedAt: '1' }] });
  await answer;
  await world.rest();
  return false;
}

describe('a client', () => {
  it('says that it keeps the rules of warranties, unless it was told to take none', async () => {
    world = await warranting();
    expect(world.a.heard[0].hello.warranties).toBe(true);
    await world.claret.close(0);
    world = await warranting({ warranties: 'off' });
    expect(world.a.heard[0].hello.warranties).toBe(false);
    void read(A).catch(() => {});
    const [request] = await world.a.requests();
    expect(request.operations[0].warrant).toBe(0);
  });

  const wishes = (request: any) => request.operations.map(({ warrant }: any) => warrant);

  it('asks for a warranty of what it observes', async () => {
    world = await warranting();
    const { claret } = world;
    void claret.transact('Both', [claret.on.counter(A).value(), claret.on.counter(A2).value()]).catch(() => {});
    const [request] = await world.a.requests();
    expect(wishes(request)).toEqual([1, 1]);
  });

  it('asks for none with its last changes, since a promise could not save that message', async () => {
    world = await warranting();
    const { claret } = world;
    void claret.transact('Both', [claret.on.counter(A).value(), claret.on.counter(A2).add(1)]).catch(() => {});
    const [together] = await world.a.requests();
    expect(wishes(together)).toEqual([0, 0]);
    const reading = async (tx: Tx) => void tx.counter(A2).add(Number(await tx.counter(A).value()));
    void claret.transaction('Copy', reading).catch(() => {});
    const [first] = await world.a.requests();
    expect(wishes(first)).toEqual([1]);
  });

  it('asks for none if the condition is off, or if the shard names no term', async () => {
    world = await warranting({}, 'off');
    void read(A).catch(() => {});
    expect((await world.a.requests())[0].operations[0].warrant).toBe(0);
    await world.claret.close(0);
    world = await warranting();
    world.a.warrantyTermMs = 0;
    world.a.breakSession();
    world.environment.pass(2_000);
    await world.rest();
    void read(A).catch(() => {});
    expect((await world.a.requests())[0].operations[0].warrant).toBe(0);
  });
});

describe('a warranty', () => {
  it('answers a transaction that it covers without a message, as of a timestamp that the shard has reached', async () => {
    const history: HistoryAttempt[] = [];
    world = await warranting({ history: (attempt) => void history.push(attempt) });
    const { claret, a } = world;
    await world.learn(a, A, 7);
    const receipts: Receipt[] = [];
    const at: bigint[] = [];
    const observed = claret.observed((receipt) => receipts.push(receipt));
    expect(
      await observed.transaction('Body', async (tx) => (await tx.counter(A).value()) === 7, {
        onCommit: ({ committedAt }) => at.push(committedAt),
      }),
    ).toBe(true);
    expect(await observed.transact('List', [claret.on.counter(A).value()])).toEqual([7]);
    expect(await a.frames()).toEqual([]);
    expect(at).toEqual([BigInt(NOW)]);
    expect(receipts).toMatchObject([
      { outcome: 'committed', operations: 1, warranted: 1, shards: 0 },
      { operations: 1, warranted: 1 },
    ]);
    expect(history.slice(1)).toMatchObject([
      { outcome: 'ok', order: String(NOW), ops: [{ op: 'value', result: 7, via: 'warranty' }] },
      { outcome: 'ok', ops: [{ via: 'warranty' }] },
    ]);
    expect(claret.counters).toMatchObject({ warrantedAnswers: 2, warrantedCommits: 2, grants: 1, grantsRecalled: 0 });
  });

  it('answers an equal call, with a copy of its own each time', async () => {
    world = await warranting();
    const { claret, a } = world;
    const first = claret.transact('Top', [claret.on.topK(A).top(3)]);
    const [{ attempt }] = await a.requests();
    const items = [
      ['x', 3],
      ['y', 2],
      ['z', 1],
    ].map(([item, score]) => ({
      list: { items: [{ text: item }, { integer: String(score) }] },
    }));
    const granted = [{ grant: '1', from: '5', digest: Buffer.alloc(16) }];
    a.say({ standing: a.standing(), replies: [{ attempt, results: [{ list: { items } }], granted, committedAt: '9' }] });
    const [own] = await first;
    own.length = 0;
    await a.frames();
    const again = () => claret.transact('Again', [claret.on.topK(A).top(3)]);
    const [three] = await again();
    expect(three).toEqual([
      ['x', 3],
      ['y', 2],
      ['z', 1],
    ]);
    three.length = 0;
    expect((await again())[0]).toHaveLength(3);
    expect(await a.frames()).toEqual([]);
  });

  it('stands for nearly a term after the departure of the newest frame that the shard has acknowledged', async () => {
    world = await warranting();
    const { a, environment } = world;
    await world.learn(a, A, 7);
    a.acknowledges = false;
    environment.pass(0.99 * TERM_MS - 2);
    expect(await isKnown(A)).toBe(true);
    environment.pass(2);
    expect(await isKnown(A)).toBe(false);
  });

  it('is not counted from the arrival of the acknowledgement', async () => {
    world = await warranting();
    const { a, environment } = world;
    void read(A).catch(() => {});
    const [request] = await a.requests();
    environment.pass(0.99 * TERM_MS);
    a.acknowledges = true;
    a.grant(request, 7, {}, { committedAt: '950' });
    await a.frames();
    expect(await isKnown(A)).toBe(false);
  });

  it('is kept alive by heartbeats as long as its client has it, and given back when it was not used for a minute', async () => {
    world = await warranting();
    const { a, environment } = world;
    await world.learn(a, A, 7);
    const third = async () => {
      environment.pass(TERM_MS / 3 + 1);
      const frames = await a.frames();
      a.say({});
      await a.frames();
      return frames;
    };
    for (let i = 0; i < 9; i++) expect((await third()).length).toBeGreaterThan(0);
    expect(await isKnown(A)).toBe(true);
    const returned: number[] = [];
    for (let i = 0; i < 190; i++)
      for (const frame of await third()) returned.push(...frame.returned.map(({ grant }: any) => Number(grant)));
    expect(returned).toEqual([1]);
    expect(await isKnown(A)).toBe(false);
    const quiet = (await third()).length + (await third()).length;
    expect(quiet, 'without grants there are no more heartbeats than for the session').toBe(0);
  });

  it('ends when it is recalled, and is returned with the number of its uses and the greatest timestamp of any use', async () => {
    world = await warranting();
    const { a } = world;
    await world.learn(a, A, 7);
    await read(A);
    await read(A);
    a.recall(1);
    const [{ returned, used }] = await a.frames();
    expect(returned).toEqual([{ grant: '1', uses: 2 }]);
    expect(used).toEqual({ upTo: String(NOW), answers: 2, commits: 2 });
    expect(await isKnown(A)).toBe(false);
  });

  it('is given back as soon as it comes, if its recall has overtaken it', async () => {
    world = await warranting();
    const { a } = world;
    const reading = read(A);
    const [request] = await a.requests();
    a.recall(1);
    expect(await a.returned()).toEqual([]);
    a.grant(request, 7, {}, { committedAt: '950' });
    expect(await reading).toEqual([7]);
    expect(await a.returned()).toEqual([1]);
    expect(await isKnown(A)).toBe(false);
    a.recall(1);
    expect(await a.returned()).toEqual([]);
  });

  it('is given back if the attempt that asked for it has ended', async () => {
    world = await warranting();
    const { a, claret } = world;
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const leaving = claret.transaction('Leave', async (tx) => {
      const reading = tx.counter(A).value();
      await Promise.race([reading, left]);
      throw new Error('gone');
    });
    const [request] = await a.requests();
    leave();
    await expect(leaving).rejects.toThrow('gone');
    a.grant(request, 7);
    expect(await a.returned()).toEqual([1]);
  });

  it('is given back if the client has the same already', async () => {
    world = await warranting();
    const { a } = world;
    const both = [read(A), read(A)];
    for (const request of await a.requests()) a.grant(request, 7, {}, { committedAt: '950' });
    await Promise.all(both);
    expect(await a.returned()).toEqual([2]);
    expect(await isKnown(A)).toBe(true);
  });

  it('outlives its session until its lease is over, but not into the next session', async () => {
    world = await warranting();
    const { a, environment } = world;
    await world.learn(a, A, 7);
    a.breakSession();
    await world.rest();
    expect(await read(A)).toEqual([7]);
    environment.pass(600);
    await world.rest();
    expect(a.sessions).toBe(2);
    a.say({ standing: a.standing() });
    expect(await isKnown(A)).toBe(false);
  });

  it('is given back when the client is closed, and when the condition is switched off', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await world.learn(b, B, 8);
    b.say({ conditions: { locks: 'abstract', phasing: true, combining: 'off', warranties: 'off' } });
    expect(await b.returned()).toEqual([1]);
    b.say({ conditions: { locks: 'abstract', phasing: true, combining: 'off', warranties: 'auto' } });
    await world.learn(b, B, 8, { grant: 2 });
    await claret.close(0);
    expect(await b.returned()).toEqual([2]);
  });

  it('does not keep frames from being read while it answers one transaction after the other', async () => {
    world = await warranting();
    const { a } = world;
    await world.learn(a, A, 7);
    let turns = 0;
    const turn = () => setImmediate(() => turns++ < 1_000 && turn());
    turn();
    for (let i = 0; i < 5_000; i++) await read(A);
    expect(turns).toBeGreaterThan(3);
    expect(turns).toBeLessThan(20);
    expect(await a.requests()).toEqual([]);
  });

  it('is given back if there are too many, the least recently used first', async () => {
    world = await warranting();
    const { a, claret } = world;
    const count = 2_200;
    const keys = Array.from({ length: count }, (_, i) => keyOn(0, `large ${i}`));
    const learning = claret.transact(
      'Learn',
      keys.map((key) => claret.on.register(key).get()),
    );
    const requests: any[] = [];
    for (let heard = await a.requests(); heard.length > 0; heard = await a.requests()) {
      requests.push(...heard);
      for (const { attempt, operations, prepare } of heard) {
        const results = operations.map(() => ({ text: 'x'.repeat(16_000) }));
        const granted = operations.map((_: unknown, i: number) => ({ grant: String(requests.length * 10_000 + i), operation: i }));
        a.say({ standing: a.standing(), replies: [{ attempt, results, granted, ...(prepare && { committedAt: '950' }) }] });
        world.environment.pass(1);
      }
    }
    await learning;
    const returned = a.heard.flatMap((frame) => frame.returned).map(({ grant }) => Number(grant));
    const left = 1 - returned.length / count;
    expect(left * count * 32_500).toBeLessThan(64 * 1024 * 1024);
    expect(left * count * 32_500).toBeGreaterThan(50 * 1024 * 1024);
    expect(returned).toEqual(returned.toSorted((one, other) => one - other));
    expect(returned[0]).toBe(10_000);
  });

  it('is not relied on by the last attempt that a transaction has', async () => {
    world = await warranting();
    const { a, claret } = world;
    await world.learn(a, A, 7);
    void claret.transact('Once', [claret.on.counter(A).value()], { attemptsMax: 1 }).catch(() => {});
    expect(await a.requests()).toHaveLength(1);
  });
});

describe('a list', () => {
  it('asks no shard all of whose operations are answered, and the others for everything', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await world.learn(b, B, 8);
    const answers = read(A, A2, B);
    const [request] = await a.requests();
    expect(request.operations.map(({ key, expect: digest }: any) => [key, digest.length])).toEqual([
      [A, 0],
      [A2, 0],
    ]);
    expect(request.prepare).toMatchObject({ notBefore: String(NOW), notAfter: String(UNTIL) });
    a.say({ replies: [{ attempt: request.attempt, results: [{ integer: '7' }, { integer: '9' }], committedAt: '2000' }] });
    expect(await answers).toEqual([7, 9, 8]);
    expect(await b.frames()).toEqual([]);
    expect(claret.counters).toMatchObject({ warrantedAnswers: 1, warrantedCommits: 0 });
  });
});

describe('a client that may have lost time', () => {
  it('gives up all warranties when the civil clock has run ahead of the steady one', async () => {
    world = await warranting();
    const { a, environment } = world;
    await world.learn(a, A, 7);
    environment.suspend(11);
    environment.pass(5);
    expect(await isKnown(A)).toBe(false);
  });

  it('gives up all warranties when the clock of any shard has run ahead, and trusts no frame that left before', async () => {
    world = await warranting();
    const { a, b, environment } = world;
    await world.learn(a, A, 7);
    await world.learn(b, B, 8);
    environment.pass(1);
    void read(A2).catch(() => {});
    const [request] = await a.requests();
    const standing = b.standing() as { clockUs: string };
    b.say({ standing: { ...standing, clockUs: String(Number(standing.clockUs) + 11_000) } });
    await world.rest();
    expect(await isKnown(B)).toBe(false);
    a.grant(request, 9, {}, { committedAt: '960' });
    await a.frames();
    expect(await isKnown(A2), 'its request left before').toBe(false);
  });
});
