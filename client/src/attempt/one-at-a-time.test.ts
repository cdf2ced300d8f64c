// Operations one at a time, against real shards: the order of messages, and the guarantees of a transaction.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { ConnectOptions } from '../connect.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

async function connected(options: Partial<ConnectOptions> = {}): Promise<Claret> {
  tap = new Tap(cluster.transport);
  const client = await cluster.connect({ oneAtATime: true, deferral: false, combining: 'off', transport: tap, ...options });
  await client.transact('Read', [client.on.counter(A).value(), client.on.counter(B).value()]);
  tap.seen.length = 0;
  return client;
}

beforeEach(async () => {
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
  // The phase leaves enough time for joins on a busy machine.
  cluster = await inProcessCluster({ shards: 2, shardOptions: { phaseCapMs: 500 } });
  claret = await connected();
});

afterEach(async () => {
  await cluster.stop();
  for (const shard of cluster.shards) expect(shard.counters().attemptsInFlight).toBe(0);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

const values = (...keys: string[]) =>
  claret.transact(
    'Read',
    keys.map((key) => claret.on.counter(key).value()),
  );

describe('operations one at a time', () => {
  it('are each sent after the answer to the previous one, also if the body awaits none, and the vote goes with the last', async () => {
    await claret.transaction('Add', (tx) => {
      tx.counter(A).add(1);
      tx.counter(B).add(2);
      tx.counter(A).add(3);
    });
    // Both branches' votes are sent in the same turn, each in its own frame.
    expect(tap.seen.slice(0, 4)).toEqual(['0: add', '0 answers', '1: add', '1 answers']);
    expect(tap.seen.slice(4, 6).sort()).toEqual(['0: add, vote', '1: vote']);
    expect(tap.seen.slice(6).sort()).toEqual(['0 answers', '1 answers']);
    expect(await values(A, B)).toEqual([4, 2]);
  });

  it('are sent one by one if they are awaited together', async () => {
    const seen = await claret.transaction('Read', async (tx) => {
      tx.counter(A).add(5);
      return Promise.all([tx.counter(A).value(), tx.counter(A).value()]);
    });
    expect(seen).toEqual([0, 0]);
    expect(tap.seen).toEqual(['0: add', '0 answers', '0: value', '0 answers', '0: value', '0 answers', '0: vote', '0 answers']);
  });

  it('wait for an awaited void operation, and end with the message of the operation given to finish', async () => {
    const before = await claret.transaction('Visit', async (tx) => {
      await tx.counter(A).add(1);
      tx.counter(A).add(1);
      return tx.finish(tx.counter(A).value());
    });
    expect(before).toBe(0);
    expect(tap.seen).toEqual(['0: add', '0 answers', '0: add', '0 answers', '0: value, vote', '0 answers']);
  });

  it('take one message with the vote if there is only one, and none if there are none', async () => {
    expect(await claret.transaction('Read', (tx) => tx.counter(A).value())).toBe(0);
    expect(await claret.transaction('Nothing', async () => 7)).toBe(7);
    expect(tap.seen).toEqual(['0: value, vote', '0 answers']);
  });

  it('are sent one by one by `transact` too, with results in order', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(A).add(1)]);
    expect(tap.seen.splice(0)).toEqual(['0: add', '0 answers', '0: add, vote', '0 answers']);
    const seen = await claret.transact('Read', [claret.on.counter(B).value(), claret.on.counter(A).value(), claret.on.counter(B).value()]);
    expect(seen).toEqual([0, 2, 0]);
    expect(tap.seen.slice(0, 4)).toEqual(['1: value', '1 answers', '0: value', '0 answers']);
    expect(tap.seen.slice(4, 6).sort()).toEqual(['0: vote', '1: value, vote']);
  });

  it('are off by default', async () => {
    const plain = await connected({ oneAtATime: false });
    await plain.transaction('Add', (tx) => {
      tx.counter(A).add(1);
      tx.counter(A).add(1);
    });
    await plain.transact('Add', [plain.on.counter(A).add(1), plain.on.counter(A).add(1)]);
    expect(tap.seen).toEqual(['0: add, add, vote', '0 answers', '0: add, add, vote', '0 answers']);
  });

  it('cannot be issued after the body has ended, even while some are not sent yet', async () => {
    let late!: () => unknown;
    const ended = claret.transaction('Late', (tx) => {
      tx.counter(A).add(1);
      tx.counter(A).add(1);
      late = () => tx.counter(A).value();
    });
    expect(late).toThrow('the transaction has ended');
    await ended;
    expect(await values(A)).toEqual([2]);
  });

  it('that wait are not sent if the body throws', async () => {
    const mine = new Error('no');
    await expect(
      claret.transaction('Throw', async (tx) => {
        await tx.counter(A).add(1);
        tx.counter(B).add(1);
        const waits = tx.counter(A).value();
        waits.then(
          () => {},
          () => {},
        );
        throw mine;
      }),
    ).rejects.toBe(mine);
    expect(tap.seen.filter((line) => line.startsWith('1:'))).toEqual([]);
    expect(await values(A, B)).toEqual([0, 0]);
  });

  it('all fail with the attempt', async () => {
    let seen: unknown[] = [];
    const set = keyOn(0, 'is-a-set');
    await claret.transact('Make', [claret.on.set(set).add('m')]);
    const failed = claret.transaction('Wrong', async (tx) => {
      const operations = [tx.counter(A).value(), tx.counter(set).value(), tx.counter(B).value()];
      seen = (await Promise.allSettled(operations)).map((one) =>
        one.status === 'rejected' ? (one.reason as ClaretError).code : one.value,
      );
    });
    await expect(failed).rejects.toMatchObject({ code: 'wrong_type' });
    expect(seen).toEqual([0, 'wrong_type', 'wrong_type']);
    expect(tap.seen.filter((line) => line.startsWith('1:'))).toEqual([]);
  });

  it('are requested all at once by a retry, whose body continues when they are granted', async () => {
    let runs = 0;
    await claret.transaction('Again', async (tx) => {
      runs++;
      await tx.counter(A).value();
      await tx.counter(B).add(1);
      if (runs === 1) {
        cluster.hosts[1]!.breakSessions();
        await expect.poll(() => claret.status.shards.map(({ state }) => state)).toEqual(['live', 'live']);
      }
      tx.counter(B).add(10);
      tx.counter(A).add(100);
    });
    expect(runs).toBe(2);
    const second = tap.seen.slice(4);
    expect(second.slice(0, 2).sort()).toEqual(['0: value', '1: intent add']);
    expect(second.slice(2, 4).sort()).toEqual(['0 answers', '1 answers']);
    // An operation that an intent covers goes with the next message.
    expect(second.slice(4, 6)).toEqual(['1: add, add', '1 answers']);
    expect(second.slice(6, 8).sort()).toEqual(['0: add, vote', '1: vote']);
    expect(await values(A, B)).toEqual([100, 11]);
  });

  it('are repeated after a denial', async () => {
    for (const shard of cluster.shards) {
      shard.setConditions({ locks: 'rw', phasing: false, combining: 'off' }, performance.timeOrigin + performance.now(), performance.now());
    }
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const adds = { [A]: 0, [B]: 0 };
    const worker = async () => {
      for (let i = 0; i < 30; i++) {
        const keys = Array.from({ length: 3 }, () => random.pick([A, B]));
        await claret.transaction('Add', async (tx) => {
          for (const key of keys) tx.counter(key).add(1);
          await tx.counter(keys[0]!).value();
        });
        for (const key of keys) adds[key]!++;
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    expect(tap.seen.some((line) => line.endsWith('denies'))).toBe(true);
    expect(await values(A, B)).toEqual([adds[A], adds[B]]);
  });
});
