// The client against real shards: the guarantees of a transaction.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from './claret.ts';
import { ClaretError } from './errors/claret-error.ts';
import { CalmEnvironment } from './testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from './testing/in-process-cluster.ts';
import { freshSeed, randomFrom } from './testing/random.ts';
import { keyOn } from './testing/keys.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let environment: CalmEnvironment;
let cluster: InProcessCluster;
let claret: Claret;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeEach(async () => {
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
  environment = new CalmEnvironment();
  cluster = await inProcessCluster({ shards: 2, environment });
  claret = await cluster.connect({ name: 'test' });
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

async function rejection(promise: Promise<unknown>): Promise<ClaretError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClaretError);
  return error as ClaretError;
}

describe('a transaction', () => {
  it('sees the state before it and changes the state when it commits', async () => {
    const first = await claret.transaction('Visit', async (tx) => {
      tx.counter(A).add(1);
      return await tx.counter(A).value();
    });
    expect(first).toBe(0);
    expect(await values(A)).toEqual([1]);
  });

  it('is one message if its body awaits nothing', async () => {
    await values(A);
    const before = claret.counters.frames;
    await claret.transaction('Add', (tx) => {
      tx.counter(A).add(2);
      tx.set(keyOn(0, 'y')).add('m');
    });
    expect(claret.counters.frames).toBe(before + 1);
  });

  it('commits in the message of the operation given to finish', async () => {
    await claret.transaction('Add', (tx) => void tx.counter(A).add(5));
    const before = claret.counters.frames;
    expect(await claret.transaction('Read', async (tx) => tx.finish(tx.counter(A).value()))).toBe(5);
    expect(await claret.transaction('Read', (tx) => tx.counter(A).value())).toBe(5);
    expect(claret.counters.frames).toBe(before + 2);
  });

  it('sends operations awaited together in one message', async () => {
    await values(A);
    const before = claret.counters.frames;
    const seen = await claret.transaction('Read', async (tx) => {
      const counter = tx.counter(A);
      return Promise.all([counter.value(), tx.set(keyOn(0, 's')).size(), counter.value()]);
    });
    expect(seen).toEqual([0, 0, 0]);
    expect(claret.counters.frames).toBe(before + 2);
  });

  it('spans shards', async () => {
    let report: { committedAt: bigint; retries: number } | null = null;
    const seen = await claret.transaction(
      'Both',
      async (tx) => {
        tx.counter(A).add(1);
        const value = await tx.counter(B).value();
        tx.counter(B).add(2);
        return value;
      },
      { onCommit: (value) => void (report = value) },
    );
    expect(seen).toBe(0);
    expect(report!.retries).toBe(0);
    expect(report!.committedAt).toBeGreaterThan(0n);
    expect(await values(A, B)).toEqual([1, 2]);
  });

  it('without operations commits nothing and resolves', async () => {
    expect(await claret.transaction('Nothing', async () => 7)).toBe(7);
    expect(await claret.transact('Nothing', [])).toEqual([]);
  });

  it("is aborted on all shards if its body throws, and rejects with the body's error", async () => {
    const mine = new Error('no');
    await expect(
      claret.transaction('Throw', async (tx) => {
        await Promise.all([tx.counter(A).value(), tx.counter(B).value()]);
        tx.counter(A).add(1);
        throw mine;
      }),
    ).rejects.toBe(mine);
    await expect(
      claret.transaction('Throw', (tx) => {
        tx.counter(A).add(1);
        throw mine;
      }),
    ).rejects.toBe(mine);
    expect(await values(A, B)).toEqual([0, 0]);
    expect(claret.counters.retries).toBe(0);
  });

  it('fails with an operation that is not awaited', async () => {
    await claret.transaction('Make', (tx) => void tx.counter(A).add(1));
    const error = await rejection(
      claret.transaction('Bad', async (tx) => {
        tx.counter(B).add(1);
        tx.set(A).add('x');
      }),
    );
    expect(error).toMatchObject({ code: 'wrong_type', retryable: false, key: A, operation: 'Set.add', commitState: 'none' });
    expect(await values(A, B)).toEqual([1, 0]);
  });

  it('fails even if its body catches the error of an operation', async () => {
    await claret.transaction('Make', (tx) => void tx.counter(A).add(1));
    const error = await rejection(
      claret.transaction('Bad', async (tx) => {
        await tx
          .set(A)
          .size()
          .then(undefined, () => 0);
        return 'fine';
      }),
    );
    expect(error.code).toBe('wrong_type');
  });

  it('cannot be used after its end', async () => {
    let late: (() => void) | null = null;
    await claret.transaction('Leak', async (tx) => {
      late = () => void tx.counter(A).add(1);
      await tx.counter(A).value();
    });
    expect(late!).toThrow(expect.objectContaining({ code: 'transaction_ended' }));
    await claret
      .transaction('Leak', async (tx) => {
        late = () => void tx.counter(A).add(1);
        throw new Error('out');
      })
      .catch(() => {});
    expect(late!).toThrow(expect.objectContaining({ code: 'transaction_ended' }));
    expect(await values(A)).toEqual([0]);
  });

  it('that hangs is ended at its deadline', async () => {
    const hanging = claret.transaction(
      'Hang',
      async (tx) => {
        await tx.counter(A).value();
        await new Promise(() => {});
      },
      { timeoutMs: 100 },
    );
    expect(await rejection(hanging)).toMatchObject({ code: 'gave_up', cause: 'timeout', commitState: 'none' });
    await claret.transaction('Add', (tx) => void tx.counter(A).add(1));
  });

  it('that waits too long for a lock reports that', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let holder = Promise.resolve();
    await new Promise<void>((held) => {
      holder = claret.transaction('Hold', async (tx) => {
        await tx.counter(A).value();
        held();
        await released;
      });
    });
    const error = await rejection(claret.transaction('Wait', (tx) => void tx.counter(A).add(1), { timeoutMs: 100 }));
    expect(error).toMatchObject({
      code: 'gave_up',
      cause: 'lock_wait',
      key: expect.any(String),
      blockingLabel: expect.any(String),
      retryable: true,
      commitState: 'none',
    });
    release();
    await holder;
    expect(await values(A)).toEqual([0]);
  });

  it('after close is refused', async () => {
    await claret.close();
    expect(await rejection(values(A))).toMatchObject({ code: 'client_closed' });
  });
});

describe('many transactions at once', () => {
  it('that read and add to counters on two shards lose no update', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const one = async () => {
      const [first, second] = random.below(2) === 0 ? [A, B] : [B, A];
      await claret.transaction('Increment', async (tx) => {
        const value = Number(await tx.counter(first).value());
        tx.counter(first).add(1);
        await tx.counter(second).value();
        tx.counter(second).add(1);
        return value;
      });
    };
    await Promise.all(Array.from({ length: 50 }, one));
    expect(await values(A, B)).toEqual([50, 50]);
    expect(claret.counters.commits).toBe(51);
    expect(claret.counters.retries).toBeGreaterThan(0);
  });

  it('that move money between shards show every reader the same sum', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const accounts = Array.from({ length: 6 }, (_, i) => keyOn(i % 2, `account${i}`));
    await claret.transact(
      'Open',
      accounts.map((key) => claret.on.counter(key).add(100)),
    );
    const other = await cluster.connect({ name: 'reader' });
    const move = async () => {
      const from = random.pick(accounts);
      const to = random.pick(accounts);
      const amount = 1 + random.below(5);
      await claret.transaction('Move', async (tx) => {
        if (Number(await tx.counter(from).value()) < amount) return;
        tx.counter(from).add(-amount);
        tx.counter(to).add(amount);
      });
    };
    const read = async () => {
      const seen = await other.transact(
        'Sum',
        accounts.map((key) => other.on.counter(key).value()),
      );
      return seen.reduce<number>((sum, value) => sum + Number(value), 0);
    };
    const sums: number[] = [];
    const movers = Array.from({ length: 10 }, async () => {
      for (let i = 0; i < 8; i++) await move();
    });
    const readers = Array.from({ length: 3 }, async () => {
      for (let i = 0; i < 8; i++) sums.push(await read());
    });
    await Promise.all([...movers, ...readers]);
    expect(sums).toEqual(sums.map(() => 600));
    expect(await read()).toBe(600);
    for (const value of await values(...accounts)) expect(Number(value)).toBeGreaterThanOrEqual(0);
  });

  it('of one message each share frames', async () => {
    await values(A);
    const before = claret.counters.frames;
    await Promise.all(Array.from({ length: 100 }, () => claret.transact('Add', [claret.on.counter(A).add(1)])));
    expect(await values(A)).toEqual([100]);
    expect(claret.counters.frames - before).toBeLessThan(8);
  });

  it('that exceed the frames in flight all commit', async () => {
    const text = 'x'.repeat(1000);
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) => claret.transact('Add', [claret.on.set(keyOn(i % 2, `bulk${i % 10}`)).add(text + i)])),
    );
    const sizes = await claret.transact(
      'Sizes',
      Array.from({ length: 10 }, (_, i) => [claret.on.set(keyOn(0, `bulk${i}`)).size(), claret.on.set(keyOn(1, `bulk${i}`)).size()]).flat(),
    );
    expect(sizes.reduce<number>((sum, size) => sum + Number(size), 0)).toBe(1000);
  });

  it('with thousands of operations each are split into requests', async () => {
    const key = keyOn(0, 'large');
    await claret.transaction('Fill', (tx) => {
      for (let i = 0; i < 5000; i++) tx.set(key).add(`member ${i}`);
      tx.counter(B).add(1);
    });
    expect(await claret.transact('Size', [claret.on.set(key).size(), claret.on.counter(B).value()])).toEqual([5000, 1]);
  });
});

describe.each(['rw', 'abstract'] as const)('without phasing, %s locks', (locks) => {
  it('are requested again until they are granted, and no increment is lost', async () => {
    for (const host of cluster.hosts)
      host.shard.setConditions({ locks, phasing: false, combining: 'off' }, environment.wallMs(), environment.monotonicMs());
    await Promise.all(
      Array.from({ length: 20 }, () =>
        claret.transaction(
          'Increment',
          async (tx) => {
            const value = Number(await tx.counter(A).value());
            tx.counter(A).add(1);
            tx.counter(B).add(1);
            return value;
          },
          { attemptsMax: 10_000, timeoutMs: 20_000 },
        ),
      ),
    );
    expect(await values(A, B)).toEqual([20, 20]);
    expect(claret.counters.denials).toBeGreaterThan(0);
  });

  it("make telemetry attribute most of a crowd's time to attempts thrown away, backing off and queueing", async () => {
    for (const host of cluster.hosts) {
      host.shard.setConditions({ locks, phasing: false, combining: 'off' }, environment.wallMs(), environment.monotonicMs());
      host.shard.observe(true, environment.wallMs(), environment.monotonicMs());
    }
    await Promise.all(
      Array.from({ length: 300 }, () =>
        claret.transaction(
          'Increment',
          async (tx) => {
            await tx.counter(A).value();
            tx.counter(A).add(1);
          },
          { attemptsMax: 10_000, timeoutMs: 20_000 },
        ),
      ),
    );
    const frames = cluster.hosts.map(
      (host) => JSON.parse(host.shard.takeTelemetry(environment.wallMs(), environment.monotonicMs())!) as Record<string, number>,
    );
    const sum = (name: string) => frames.reduce((all, frame) => all + frame[name]!, 0);
    const [took, thrownAway, backingOff, queued] = ['latencyTotalMs', 'thrownAwayMs', 'backingOffMs', 'queuedMs'].map(sum) as [
      number,
      number,
      number,
      number,
    ];
    expect(Math.min(thrownAway, backingOff, queued)).toBeGreaterThan(0);
    expect(thrownAway + backingOff + queued).toBeLessThanOrEqual(took);
    expect(thrownAway + backingOff + queued).toBeGreaterThan(0.5 * took);
  });

  it('transactions that back off or are queued reject at once when the client is closed', async () => {
    for (const host of cluster.hosts)
      host.shard.setConditions({ locks, phasing: false, combining: 'off' }, environment.wallMs(), environment.monotonicMs());
    const crowd = await cluster.connect({
      name: 'crowd',
      retryPolicy: { denialsMax: 1, attemptFirstUs: 200_000, attemptLongestUs: 200_000 },
    });
    const one = () =>
      crowd.transaction(
        'Increment',
        async (tx) => {
          await tx.counter(A).value();
          await tx.counter(B).value();
          tx.counter(A).add(1);
          tx.counter(B).add(1);
        },
        { attemptsMax: 10_000, timeoutMs: 60_000 },
      );
    const codes: string[] = [];
    let settled = 0;
    const noted = (error: ClaretError) => void codes.push(error.code);
    for (let i = 0; i < 400; i++)
      void one()
        .catch(noted)
        .finally(() => settled++);
    await expect.poll(() => crowd.counters.retries).toBeGreaterThan(0);
    await crowd.close(0);
    await expect.poll(() => settled).toBe(400);
    expect(new Set(codes)).toEqual(new Set(['client_closed']));
    // The shards settle the attempts that have voted and lost their client.
    await expect.poll(() => cluster.shards.map((shard) => shard.counters().attemptsInFlight)).toEqual([0, 0]);
  });
});
