// Operations that answer nothing are kept until the end of their transaction: the messages, and the guarantees, against real shards.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { ConnectOptions } from '../connect.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { Tap } from '../testing/tap.ts';
import { steered } from '../transaction/steered-options.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');
const OTHER = keyOn(0, 'other');
const SET = keyOn(0, 'set');
const REGISTER = keyOn(0, 'register');
const STOCK = keyOn(0, 'stock');

let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;

async function connected(options: Partial<ConnectOptions> = {}): Promise<Claret> {
  tap = new Tap(cluster.transport);
  const client = await cluster.connect({ combining: 'off', transport: tap, ...options });
  await client.transact('Read', [client.on.counter(A).value(), client.on.counter(B).value()]);
  tap.seen.length = 0;
  return client;
}

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await connected();
});

afterEach(async () => {
  await cluster.stop();
  for (const shard of cluster.shards) expect(shard.counters().attemptsInFlight).toBe(0);
});

const values = (...keys: string[]) =>
  claret.transact(
    'Read',
    keys.map((key) => claret.on.counter(key).value()),
  );

describe('operations that answer nothing', () => {
  it('are sent with their arguments as these were when they were issued', async () => {
    const row: Record<string, number> = {};
    const described = claret.on.dict(keyOn(0, 'row')).set(row);
    await claret.transaction('Rows', async (tx) => {
      for (const [n, key] of [A, B, OTHER].entries()) {
        row.n = n;
        await tx.dict(`${key}:row`).set(row);
      }
      tx.perform(described);
    });
    const rows = [...[A, B, OTHER].map((key) => `${key}:row`), keyOn(0, 'row')];
    const found = await claret.transact(
      'Read',
      rows.map((key) => claret.on.dict(key).all()),
    );
    expect(found).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, {}]);
  });

  it('are settled at once, and leave with the end, on every shard', async () => {
    const before = await claret.transaction('Add', async (tx) => {
      await tx.counter(A).add(1);
      await tx.counter(B).add(2);
      const seen = await tx.counter(A).value();
      await tx.set(SET).add('m');
      return seen;
    });
    expect(before).toBe(0);
    expect(tap.seen.slice(0, 2)).toEqual(['0: value', '0 answers']);
    expect(tap.seen.slice(2, 4).sort()).toEqual(['0: add, add, vote', '1: add, vote']);
    expect(await values(A, B)).toEqual([1, 2]);
    expect(await claret.transact('Read', [claret.on.set(SET).size()])).toEqual([1]);
  });

  it('take one message in all if the body reads nothing', async () => {
    await claret.transaction('Add', async (tx) => {
      for (let i = 0; i < 5; i++) await tx.counter(A).add(i);
    });
    expect(tap.seen).toEqual(['0: add, add, add, add, add, vote', '0 answers']);
    expect(await values(A)).toEqual([10]);
  });

  it('send nothing if the body throws', async () => {
    const mine = new Error('no');
    await expect(
      claret.transaction('Throw', async (tx) => {
        await tx.counter(A).add(1);
        throw mine;
      }),
    ).rejects.toBe(mine);
    expect(tap.seen).toEqual([]);
    expect(await values(A)).toEqual([0]);
  });

  it('lock nothing before the end', async () => {
    const other = await cluster.connect();
    await claret.transaction('Add', async (tx) => {
      await tx.counter(A).add(1);
      expect(await other.transact('Read', [other.on.counter(A).value()], { timeoutMs: 5_000, attemptsMax: 1 })).toEqual([0]);
    });
    expect(await values(A)).toEqual([1]);
  });

  it('fail with their transaction, and not where they are awaited', async () => {
    await claret.transact('Make', [claret.on.set(SET).add('m')]);
    let caught: unknown = null;
    const failed = claret.transaction('Wrong', async (tx) => {
      await tx
        .counter(SET)
        .add(1)
        .then(undefined, (error: unknown) => (caught = error));
      await tx.counter(A).add(1);
    });
    await expect(failed).rejects.toMatchObject({ code: 'wrong_type', key: SET });
    expect(caught).toBeNull();
    expect(await values(A)).toEqual([0]);
  });

  it('are sent when they are awaited if the transaction says `now`, and fail there', async () => {
    await claret.transact('Make', [claret.on.set(SET).add('m')]);
    tap.seen.length = 0;
    let caught: unknown = null;
    const failed = claret.transaction(
      'Wrong',
      async (tx) => {
        await tx.counter(A).add(1);
        expect(tap.seen).toEqual(['0: add', '0 answers']);
        await tx
          .counter(SET)
          .add(1)
          .then(undefined, (error: unknown) => (caught = error));
      },
      steered({ now: true }),
    );
    await expect(failed).rejects.toMatchObject({ code: 'wrong_type' });
    expect(caught).toMatchObject({ code: 'wrong_type', key: SET });
    expect(await values(A)).toEqual([0]);
  });

  it('keep their order on a record on which another operation changes and answers', async () => {
    const answers = await claret.transaction('Both', async (tx) => {
      await tx.register(REGISTER).set('first');
      await tx.counter(A).add(1);
      const isEmpty = await tx.register(REGISTER).compareAndSet(null, 'second');
      await tx.boundedCounter(STOCK).increment(5);
      return isEmpty;
    });
    expect(answers).toBe(true);
    expect(tap.seen).toEqual(['0: set, compareAndSet', '0 answers', '0: add, increment, vote', '0 answers']);
    expect(await claret.transact('Read', [claret.on.register(REGISTER).get()])).toEqual(['second']);
  });

  it('keep that order also if operations go one at a time, and the body awaits none', async () => {
    const plain = await connected({ oneAtATime: true });
    const taken = await plain.transaction('Both', (tx) => {
      tx.boundedCounter(STOCK).tryDecrement(0);
      tx.boundedCounter(STOCK).increment(1);
      tx.counter(B).value();
      tx.boundedCounter(STOCK).tryDecrement(0);
      tx.boundedCounter(STOCK).increment(2);
    });
    expect(taken).toBeUndefined();
    expect(tap.seen.slice(0, 4)).toEqual(['0: tryDecrement', '0 answers', '1: value', '1 answers']);
    expect(tap.seen.slice(4, 6).sort()).toEqual(['0: increment, tryDecrement, increment, vote', '1: vote']);
  });

  it('are all sent once 256 are kept, and then awaited', async () => {
    await claret.transaction('Many', async (tx) => {
      for (let i = 0; i < 256; i++) await tx.counter(A).add(1);
      expect(tap.seen).toEqual([]);
      await tx.counter(A).add(1);
      expect(tap.seen.length).toBe(2);
      await tx.counter(A).add(1);
    });
    expect(tap.seen.map((line) => line.split(', ').length)).toEqual([257, 1, 2, 1]);
    expect(await values(A)).toEqual([258]);
  });

  // A piece has 512 operations, of which up to 256 may be added last.
  const MANY = [257, 513, 769, 1_025, 1_281].flatMap((size) => Array.from({ length: 9 }, (_, i) => size - 4 + i));

  for (const oneAtATime of [false, true]) {
    it(`all reach the shard, however many there are${oneAtATime ? ', if others go one at a time' : ''}`, async () => {
      const plain = await connected({ oneAtATime });
      let added = 0;
      for (const count of MANY) {
        const before = await plain.transaction('Many', async (tx) => {
          const seen = await tx.counter(A).value();
          for (let i = 0; i < count - 500; i++) tx.counter(OTHER).add(1);
          for (let i = Math.max(0, count - 500); i < count; i++) tx.counter(A).add(1);
          return seen;
        });
        expect(before, `before ${count} more`).toBe(added);
        added += Math.min(count, 500);
      }
      expect(await values(A)).toEqual([added]);
    });
  }

  it('are applied again by a retry, and once in all', async () => {
    let runs = 0;
    await claret.transaction('Again', async (tx) => {
      runs++;
      await tx.counter(A).add(1);
      await tx.counter(B).value();
      if (runs > 1) return;
      cluster.hosts[1]!.breakSessions();
      await expect.poll(() => claret.status.shards.map(({ state }) => state)).toEqual(['live', 'live']);
    });
    expect(runs).toBe(2);
    expect(await values(A)).toEqual([1]);
  });

  it('travel with the vote also where all other operations go one at a time', async () => {
    const plain = await connected({ oneAtATime: true });
    await plain.transaction('Add', async (tx) => {
      await tx.counter(A).add(1);
      tx.counter(A).value();
      await tx.counter(A).add(1);
      tx.counter(A).value();
    });
    expect(tap.seen).toEqual(['0: value', '0 answers', '0: value, add, add, vote', '0 answers']);
  });

  it('lose and double nothing among many transactions that read what others change', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    let moved = 0;
    const worker = async () => {
      for (let i = 0; i < 25; i++) {
        const [from, to] = random.next() < 0.5 ? [A, B] : [B, A];
        const amount = random.below(10);
        await claret.transaction('Move', async (tx) => {
          await tx.counter(from).add(-amount);
          const sum = Number(await tx.counter(from).value()) + Number(await tx.counter(to).value());
          expect(sum).toBe(0);
          await tx.counter(to).add(amount);
        });
        moved++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const [a, b] = await values(A, B);
    expect(Number(a) + Number(b)).toBe(0);
    expect(moved).toBe(200);
  });
});
