// Attempts that rely on warranties and change something, or ask other shards, against scripted shards.

import { afterEach, describe, expect, it } from 'vitest';
import { A, B, B2, TERM_MS, digestOf, integer, warranting, type World } from '../testing/warranting-shards.ts';
import { keyOn } from '../testing/keys.ts';
import type { Tx } from '../transaction/tx.ts';

let world: World;
afterEach(() => world.claret.close(0));

const operationsOf = (request: any) =>
  request.operations.map(({ key, expect: digest }: any) => (digest.length > 0 ? `expect ${key}` : key));

/** The client knows the clock of the second shard, which has granted nothing. */
async function clockKnown(): Promise<void> {
  world.b.say({ standing: world.b.standing() });
  await world.rest();
}

/** Reads the first counter and adds what it reads to the second one. */
const copy =
  (from: string, to: string) =>
  async (tx: Tx): Promise<unknown> => {
    const value = await tx.counter(from).value();
    tx.counter(to).add(value);
    return value;
  };

describe('an attempt that changes a record of another shard', () => {
  it('sends one message there, whose vote is limited by the warranties that it relies on', async () => {
    world = await warranting();
    const { a, b, claret, environment } = world;
    await world.learn(a, A, 7, { from: 1_200, until: 5_000 });
    await clockKnown();
    const leftMs = environment.monotonicMs();
    const copying = claret.transaction('Copy', copy(A, B));
    const [request] = await b.requests();
    expect(operationsOf(request)).toEqual([B]);
    const { prepare } = request;
    expect(prepare).toMatchObject({ participants: [], notBefore: '1200', notAfter: '5000' });
    // The shard's clock is 5 s ahead. Rates may differ by a hundredth.
    const endMs = leftMs + 0.99 * TERM_MS - 1 + 5_000;
    expect(Number(prepare.notAfterUs) / 1_000).toBeLessThan(endMs);
    expect(Number(prepare.notAfterUs) / 1_000).toBeGreaterThan(endMs - 0.01 * TERM_MS - 2);
    b.say({ replies: [{ attempt: request.attempt, committedAt: '1300' }] });
    expect(await copying).toBe(7);
    expect(await a.frames()).toEqual([]);
  });

  it('validates everything there if it does not know the clock of the shard', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    void claret.transaction('Copy', copy(A, B)).catch(() => {});
    const [there] = await b.requests();
    const [here] = await a.requests();
    expect([operationsOf(here), operationsOf(there)]).toEqual([[`expect ${A}`], [B]]);
    expect(here.operations[0].expect).toEqual(digestOf(7));
    expect(here.prepare).toMatchObject({ participants: [1, 0], notBefore: '0', notAfter: '0', notAfterUs: '0' });
  });

  it('pins its warranties until the vote is in, and counts its commit as a use', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await clockKnown();
    const copying = claret.transaction('Copy', copy(A, B));
    const [{ attempt }] = await b.requests();
    a.recall(1);
    expect(await a.returned()).toEqual([]);
    b.say({ replies: [{ attempt, committedAt: '4321' }] });
    await copying;
    const [{ returned, used }] = await a.frames();
    expect(returned).toEqual([{ grant: '1', uses: 1 }]);
    expect(used.upTo).toBe('4321');
  });

  it('is wounded where it may wait if an older transaction waits for what it pins, and not if a younger one does', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await clockKnown();
    void claret.transaction('Copy', copy(A, B)).catch(() => {});
    const [{ attempt, begin }] = await b.requests();
    a.recall(1, BigInt(begin.priority) + 1n);
    expect((await b.frames()).flatMap(({ wounds }) => wounds)).toEqual([]);
    a.recall(1, BigInt(begin.priority) - 1n);
    const wounds = (await b.frames()).flatMap((frame) => frame.wounds);
    expect(wounds).toMatchObject([{ attempt, priority: String(BigInt(begin.priority) - 1n) }]);
    expect(await a.returned()).toEqual([]);
    b.say({ replies: [{ attempt, error: { code: 'wounded', message: 'w', retryable: true } }] });
    expect(await a.returned()).toEqual([1]);
  });

  it('keeps its pins until what it relies on is over if no shard says how it ended', async () => {
    world = await warranting({ timeoutMs: 100 });
    const { a, b, claret, environment } = world;
    await world.learn(a, A, 7, { until: 7_777 });
    await clockKnown();
    const copying = claret.transaction('Copy', copy(A, B), { id: claret.transactionId(B) });
    copying.catch(() => {});
    const [request] = await b.requests();
    expect(request.begin.transaction).not.toHaveLength(0);
    expect(request.prepare.notAfter).toBe('7777');
    b.breakSession();
    a.recall(1);
    environment.pass(150);
    await world.rest();
    await expect(copying).rejects.toMatchObject({ code: 'outcome_unknown' });
    const told: string[] = [];
    for (let passedMs = 200; passedMs <= 1_100; passedMs += 50) {
      environment.pass(50);
      for (const { used, returned } of await a.frames()) {
        if (used !== null) told.push(`used up to ${used.upTo}`);
        if (returned.length > 0) told.push(`returned after ${passedMs} ms`);
      }
      a.say({});
    }
    expect(told).toEqual(['used up to 7777', 'returned after 1000 ms']);
  });

  it('is tried again with locks if its vote came too late', async () => {
    world = await warranting();
    const { a, b, claret, environment } = world;
    await world.learn(a, A, 7);
    await clockKnown();
    const copying = claret.transaction('Copy', copy(A, B));
    const [{ attempt }] = await b.requests();
    b.say({ replies: [{ attempt, error: { code: 'warranty_over', message: 'o', retryable: true, cause: 'warranty_over' } }] });
    environment.pass(50);
    await world.rest();
    const again = a.heard.flatMap(({ requests }) => requests).at(-1);
    expect(operationsOf(again)).toEqual([A]);
    a.say({ replies: [{ attempt: again.attempt, results: [integer(8)] }] });
    const intent = b.heard.flatMap(({ requests }) => requests).at(-1);
    expect(intent.operations).toMatchObject([{ key: B, intent: true }]);
    b.say({ replies: [{ attempt: again.attempt }] });
    const requests = (await Promise.all([a.requests(), b.requests()])).flat();
    expect(requests.map(({ prepare }) => prepare?.notAfterUs ?? null)).toEqual(['0', '0']);
    for (const shard of [a, b]) shard.say({ replies: [{ attempt: again.attempt, votedAt: '5000' }] });
    expect(await copying).toBe(8);
  });

  it('is tried again with locks if the shard refuses for good what may be due to a result that is no longer right', async () => {
    world = await warranting();
    const { a, b, claret, environment } = world;
    await world.learn(a, A, 7);
    await clockKnown();
    let runs = 0;
    const taking = claret.transaction('Take', async (tx) => {
      runs++;
      tx.boundedCounter(B).decrement(await tx.counter(A).value());
      await tx.boundedCounter(B2).value();
    });
    taking.catch(() => {});
    const [{ attempt }] = await b.requests();
    a.recall(1);
    await world.rest();
    b.say({ replies: [{ attempt, error: { code: 'wrong_type', message: 'w', retryable: false } }] });
    environment.pass(50);
    await world.rest();
    expect(runs).toBe(1);
    const again = a.heard.flatMap(({ requests }) => requests).at(-1);
    expect(operationsOf(again)).toEqual([A]);
  });
});

describe('an attempt whose warranty has fallen when its body ends', () => {
  it('has the result validated with the votes', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await clockKnown();
    let go = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    const copying = claret.transaction('Copy', async (tx) => {
      const value = await tx.counter(A).value();
      await gone;
      tx.counter(B).add(value);
    });
    await world.rest();
    a.recall(1);
    expect(await a.returned()).toEqual([1]);
    go();
    const [[here], [there]] = await Promise.all([a.requests(), b.requests()]);
    expect([operationsOf(here), operationsOf(there)]).toEqual([[`expect ${A}`], [B]]);
    expect(there.prepare).toMatchObject({ participants: [1, 0], notAfterUs: '0' });
    for (const shard of [a, b]) shard.say({ replies: [{ attempt: here.attempt, votedAt: '2000' }] });
    await copying;
  });
});

describe('an attempt that takes part in the shard of a warranty anyway', () => {
  it('has what it relies on validated by its digest, before its changes, and pins nothing', async () => {
    world = await warranting();
    const { a, claret } = world;
    await world.learn(a, A, 7);
    const copying = claret.transaction('Copy', copy(A, A));
    const [request] = await a.requests();
    expect(operationsOf(request)).toEqual([`expect ${A}`, A]);
    expect(request.operations[0].warrant).toBe(1);
    expect(request.prepare).toMatchObject({ notBefore: '0', notAfterUs: '0' });
    a.recall(1);
    expect(await a.returned(), 'its own change waits for that').toEqual([1]);
    a.say({ replies: [{ attempt: request.attempt, committedAt: '2000' }] });
    expect(await copying).toBe(7);
  });

  it('is tried again with locks if the result has changed', async () => {
    world = await warranting();
    const { a, claret, environment } = world;
    await world.learn(a, A, 7);
    const copying = claret.transaction('Copy', copy(A, A));
    const [request] = await a.requests();
    a.recall(1);
    await a.returned();
    a.say({ replies: [{ attempt: request.attempt, error: { code: 'warranty_changed', message: 'c', retryable: true } }] });
    environment.pass(50);
    const [again] = await a.requests();
    expect(operationsOf(again)).toEqual([A]);
    a.say({ replies: [{ attempt: again.attempt, results: [integer(8)] }] });
    const [last] = await a.requests();
    a.say({ replies: [{ attempt: last.attempt, committedAt: '3000' }] });
    expect(await copying).toBe(8);
  });
});

describe('a client whose own changes recall its grants', () => {
  it('gives them back in the frame of the change once it has seen that twice', async () => {
    world = await warranting();
    const { a, claret } = world;
    const frames: string[][] = [];
    for (let round = 1; round <= 3; round++) {
      await world.learn(a, A, 7);
      const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
      const heard = await a.frames();
      const [request] = heard.flatMap(({ requests }) => requests);
      if (round < 3) a.recall(round, BigInt(request.begin.priority));
      heard.push(...(await a.frames()));
      frames.push(heard.map(({ requests, returned }) => `${requests.length} and ${returned.length}`));
      a.say({ replies: [{ attempt: request.attempt, committedAt: '2000' }] });
      await adding;
    }
    expect(frames).toEqual([['1 and 0', '0 and 1'], ['1 and 0', '0 and 1'], ['1 and 1']]);
  });
});

describe('an attempt that relies on many warranties of a shard that it changes', () => {
  it('has those of the records that it changes validated, and pins the rest', async () => {
    world = await warranting();
    const { a, claret } = world;
    const keys = Array.from({ length: 20 }, (_, i) => keyOn(0, `many ${i}`));
    for (const [i, key] of keys.entries()) await world.learn(a, key, i);
    void claret
      .transaction('Sum', async (tx) => {
        for (const key of keys) await tx.counter(key).value();
        tx.counter(keys[19]!).add(1);
      })
      .catch(() => {});
    const [request] = await a.requests();
    const validated = request.operations.filter((one: any) => one.expect.length > 0).map(({ key }: any) => key);
    expect(validated).toEqual([keys[19]]);
    expect(Number(request.prepare.notAfterUs)).toBeGreaterThan(0);
    for (const [i, recalled] of [20, 18].entries()) {
      a.recall(recalled);
      expect(await a.returned()).toEqual([[20], []][i]);
    }
  });
});

describe('an attempt whose warranties cannot all be right at one timestamp', () => {
  it('validates those that are promised for the shortest time', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7, { until: 3_000 });
    await world.learn(b, B, 8, { from: 4_000, now: 4_000, until: 9_000 });
    const reading = claret.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()]);
    const [request] = await a.requests();
    expect(operationsOf(request)).toEqual([`expect ${A}`]);
    expect(request.prepare).toMatchObject({ participants: [], notBefore: '4000', notAfter: '9000' });
    a.say({ replies: [{ attempt: request.attempt, committedAt: '4001' }] });
    expect(await reading).toEqual([7, 8]);
    expect(await b.frames()).toEqual([]);
  });
});

describe('a body', () => {
  it('is told nothing until what it was told before holds at that moment', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    const told: unknown[] = [];
    const reading = claret.transaction('Read', async (tx) => {
      told.push(await tx.counter(A).value());
      told.push(await tx.counter(B).value());
    });
    const [there] = await b.requests();
    a.recall(1);
    expect(await a.returned()).toEqual([1]);
    b.say({ replies: [{ attempt: there.attempt, results: [integer(8)] }] });
    const [here] = await a.requests();
    expect(operationsOf(here)).toEqual([`expect ${A}`]);
    expect(here.prepare).toBeNull();
    expect(told).toEqual([7]);
    a.say({ replies: [{ attempt: here.attempt }] });
    await world.rest();
    expect(told).toEqual([7, 8]);
    for (const [shard, votedAt] of [
      [a, '2000'],
      [b, '2001'],
    ] as const)
      shard.say({ replies: [{ attempt: here.attempt, votedAt }] });
    await reading;
  });

  it('sends what has fallen along with its next operation, and takes nothing from memory meanwhile', async () => {
    world = await warranting();
    const { a, b, claret } = world;
    await world.learn(a, A, 7);
    await world.learn(b, B, 8);
    let go = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    const told: unknown[] = [];
    void claret
      .transaction('Read', async (tx) => {
        told.push(await tx.counter(A).value());
        await gone;
        told.push(await tx.counter(B).value());
      })
      .catch(() => {});
    await world.rest();
    a.recall(1);
    await world.rest();
    go();
    const [here, there] = (await Promise.all([a.requests(), b.requests()])).map(([request]) => request);
    expect([operationsOf(here), operationsOf(there)]).toEqual([[`expect ${A}`], [B]]);
    b.say({ replies: [{ attempt: there.attempt, results: [integer(8)] }] });
    await world.rest();
    expect(told).toEqual([7]);
    a.say({ replies: [{ attempt: here.attempt }] });
    await world.rest();
    expect(told).toEqual([7, 8]);
  });

  it('that throws on what does not hold any more runs again with locks', async () => {
    world = await warranting();
    const { a, claret, environment } = world;
    await world.learn(a, A, 7);
    let go = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    const reading = claret.transaction('Throw', async (tx) => {
      const value = await tx.counter(A).value();
      await gone;
      if (value === 7) throw new Error('seven');
      return value;
    });
    await world.rest();
    a.recall(1);
    await world.rest();
    go();
    await world.rest();
    environment.pass(50);
    const requests = a.heard.flatMap((frame) => frame.requests);
    await world.rest();
    const again = a.heard
      .flatMap((frame) => frame.requests)
      .slice(requests.length - 1)
      .at(-1);
    expect(operationsOf(again)).toEqual([A]);
    a.say({ replies: [{ attempt: again.attempt, results: [integer(8)] }] });
    const [last] = await a.requests();
    a.say({ replies: [{ attempt: last.attempt, committedAt: '3000' }] });
    expect(await reading).toBe(8);
  });

  it('that throws on what holds passes its error on', async () => {
    world = await warranting();
    const { a, claret } = world;
    await world.learn(a, A, 7);
    const reading = claret.transaction('Throw', async (tx) => {
      await tx.counter(A).value();
      throw new Error('seven');
    });
    await expect(reading).rejects.toThrow('seven');
    expect(await a.frames()).toEqual([]);
  });
});

describe('a transaction with an id', () => {
  it('asks its home shard also if warranties answer all that it reads', async () => {
    world = await warranting();
    const { a, claret } = world;
    await world.learn(a, A, 7);
    const reading = claret.transact('Read', [claret.on.counter(A).value()], { id: claret.transactionId(A) });
    const [request] = await a.requests();
    expect(request.begin.transaction).not.toHaveLength(0);
    expect(operationsOf(request)).toEqual([]);
    expect(Number(request.prepare.notAfterUs)).toBeGreaterThan(0);
    a.say({ replies: [{ attempt: request.attempt, committedAt: '2000' }] });
    expect(await reading).toEqual([7]);
  });
});

describe('a shard that says when an obstacle will be gone', () => {
  it('is asked again then, and no sooner', async () => {
    world = await warranting();
    const { a, claret, environment } = world;
    const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
    const [{ attempt }] = await a.requests();
    const error = { code: 'denied', message: 'w', retryable: true, cause: 'warranty_wait', retryAfterMs: 400 };
    a.say({ replies: [{ attempt, error }] });
    await world.rest();
    environment.pass(399);
    expect(await a.requests()).toEqual([]);
    environment.pass(1);
    const [again] = await a.requests();
    a.say({ replies: [{ attempt: again.attempt, committedAt: '2000' }] });
    await adding;
  });
});
