// Computations of real shards: what they cost in messages and runs, with and without warranties.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { Reader } from './reader.ts';
import type { Link, LinkHandlers, Transport } from '../transport/transport.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { Tap } from '../testing/tap.ts';
import { steered } from '../transaction/steered-options.ts';

const [A, A2, B] = [keyOn(0), keyOn(0, 'other'), keyOn(1)];
let environment: SeededEnvironment;
let cluster: InProcessCluster;

beforeEach(async () => {
  environment = new SeededEnvironment(1);
  cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
});
afterEach(() => environment.runUntil(cluster.stop()));

function setWarranties(warranties: 'auto' | 'off', combining: 'auto' | 'off' = 'off'): void {
  for (const { shard } of cluster.hosts) {
    const conditions = { locks: 'abstract', phasing: true, combining, warranties } as const;
    shard.setConditions(conditions, environment.wallMs(), environment.monotonicMs());
  }
}

const pause = (ms: number) => environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));

/** A transport that keeps what comes from shards until it is told to go on. */
class Holding implements Transport {
  readonly #inner: Transport;
  #held: (() => void)[] | null = null;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  hold(): void {
    this.#held = [];
  }

  goOn(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const deliver of held) deliver();
  }

  open(address: string, handlers: LinkHandlers): Link {
    const onFrame = (bytes: Uint8Array) => {
      if (this.#held === null) handlers.onFrame(bytes);
      else this.#held.push(() => handlers.onFrame(bytes));
    };
    return this.#inner.open(address, { onFrame, onClose: (error) => handlers.onClose(error) });
  }

  topology(address: string): ReturnType<Transport['topology']> {
    return this.#inner.topology(address);
  }

  close(): void {}
}

interface Connected {
  claret: Claret;
  shards: Holding;
  run: <Result>(work: Promise<Result>) => Promise<Result>;
  seen: () => string[];
  add: (key: string) => Promise<unknown>;
}

async function client(options: object = {}): Promise<Connected> {
  const shards = new Holding(cluster.transport);
  const tap = new Tap(shards);
  const claret = await environment.runUntil(cluster.connect({ transport: tap, ...options }));
  await pause(5);
  const run = <Result>(work: Promise<Result>) => environment.runUntil(work);
  return {
    claret,
    shards,
    run,
    seen: () => tap.seen.splice(0).filter((one) => !one.endsWith('answers')),
    add: (key) => run(claret.transact('Add', [claret.on.counter(key).add(1)])),
  };
}

/** Counters, sums of two of them, and a sum of all. */
function sums(claret: Claret) {
  const runs: string[] = [];
  const one = claret.computation('one', { strict: false }, async (read, key: string) => {
    runs.push(key);
    return Number(await read.counter(key).value());
  });
  const isEven = claret.computation('isEven', { strict: false }, async (read, key: string) => {
    runs.push('even');
    return (await read.call(one, key)) % 2 === 0;
  });
  const all = claret.computation('all', { strict: false }, async (read, ...keys: string[]) => {
    runs.push('all');
    const values = await Promise.all(keys.map((key) => read.call(one, key)));
    return { sum: values.reduce((sum, value) => sum + value, 0), values };
  });
  return { runs: () => runs.splice(0), one, isEven, all };
}

describe.each(['auto', 'off'] as const)('with warranties %s', (warranties) => {
  beforeEach(() => setWarranties(warranties));
  const granted = warranties === 'auto';

  it('a value is computed once, and needs no message or one for each shard', async () => {
    const { claret, run, seen } = await client();
    const { all, runs } = sums(claret);
    expect(await run(all.get(A, A2, B))).toEqual({ sum: 0, values: [0, 0, 0] });
    expect([runs(), seen()]).toEqual([
      ['all', A, A2, B],
      ['0: value, value', '1: value', '0: vote', '1: vote'],
    ]);
    expect(await run(all.get(A, A2, B))).toEqual({ sum: 0, values: [0, 0, 0] });
    expect(runs()).toEqual([]);
    expect(seen()).toEqual(granted ? [] : ['0: value, value, vote', '1: value, vote']);
    expect(all.explain(A, A2, B)).toMatchObject({ state: granted ? 'clean' : 'unproven', runs: 1, hits: granted ? 1 : 0 });
  });

  it('a change is seen by the next use, which runs only what it concerns', async () => {
    const [reader, writer] = [await client(), await client()];
    const { all, runs } = sums(reader.claret);
    for (let n = 0; n < 10; n++) {
      expect(await reader.run(all.get(A, A2, B))).toMatchObject({ sum: n });
      expect(runs()).toEqual(n === 0 ? ['all', A, A2, B] : [B, 'all']);
      await writer.add(B);
    }
  });

  it('a value is asked for again once the shards have not been heard for a term', async () => {
    const [reader, writer] = [await client(), await client()];
    const { all } = sums(reader.claret);
    for (let n = 0; n < 2; n++) expect(await reader.run(all.get(A, B))).toMatchObject({ sum: 0 });
    expect(all.kept(A, B)).toEqual(granted ? { value: { sum: 0, values: [0, 0] }, members: 2 } : null);
    reader.shards.hold();
    await pause(1_500);
    await writer.add(A);
    expect(all.kept(A, B)).toBe(null);
    const got = all.get(A, B);
    await pause(1);
    reader.shards.goOn();
    expect(await reader.run(got)).toMatchObject({ sum: 1 });
  });

  it('a body is told no value before it is proved', async () => {
    const [reader, writer] = [await client(), await client()];
    const { all } = sums(reader.claret);
    for (let n = 0; n < 2; n++) await reader.run(all.get(A));
    await writer.add(A);
    let mixtures = 0;
    const compare = reader.claret.transaction('Compare', async (tx) => {
      const value = Number(await tx.counter(A).value());
      const { sum } = await tx.call(all, A);
      if (sum !== value) mixtures++;
      return sum;
    });
    expect(await reader.run(compare)).toBe(1);
    expect(mixtures).toBe(0);
  });

  it('a value that comes out as before ends the matter', async () => {
    const [reader, writer] = [await client(), await client()];
    const { isEven, runs } = sums(reader.claret);
    const outer = reader.claret.computation('outer', { strict: false }, async (read) => `even: ${await read.call(isEven, A)}`);
    expect(await reader.run(outer.get())).toBe('even: true');
    runs();
    await writer.add(A);
    await writer.add(A);
    const before = { ...reader.claret.computations.stats };
    expect(await reader.run(outer.get())).toBe('even: true');
    expect(runs()).toEqual([A, 'even']);
    expect(reader.claret.computations.stats).toMatchObject({ runs: before.runs + 2, cutoffs: before.cutoffs + 1 });
    expect(await reader.run(outer.get())).toBe('even: true');
    expect(runs()).toEqual([]);
  });

  it('a body that pauses sees no mixture, also while its value is refreshed', async () => {
    const [reader, writer] = [await client(), await client()];
    let [pauses, mixtures] = [false, 0];
    const pair = reader.claret.computation('pair', { strict: false }, async (read) => {
      const one = await read.counter(A).value();
      if (pauses) await new Promise<void>((resolve) => void environment.setTimeout(resolve, 20));
      const other = await read.counter(B).value();
      if (one !== other) mixtures++;
      return [one, other];
    });
    const both = () => writer.claret.transaction('Both', (tx) => [A, B].forEach((key) => tx.counter(key).add(1)));
    expect(await reader.run(pair.get())).toEqual([0, 0]);
    await writer.run(both());
    pauses = true;
    const got = pair.get();
    await pause(10);
    const written = both();
    await pause(2);
    // What is promised anew is of another time than what the body has.
    const { on } = reader.claret;
    for (let n = 0; n < 2; n++) await reader.run(reader.claret.transact('Read', [on.counter(B).value()]));
    const [one, other] = await reader.run(got);
    await writer.run(written);
    expect(one).toBe(other);
    expect(mixtures).toBe(0);
  });

  it('inside a transaction it is of the state before, and what the transaction changes is seen afterwards', async () => {
    const { claret, run } = await client();
    const { all } = sums(claret);
    await run(all.get(A, B));
    for (let n = 0; n < 5; n++) {
      const seen = await run(
        claret.transaction('Copy', async (tx) => {
          tx.counter(A).add(1);
          const before = await tx.call(all, A, B);
          tx.counter(B).add(1);
          return before.sum;
        }),
      );
      expect(seen).toBe(2 * n);
      expect(await run(all.get(A, B))).toMatchObject({ sum: 2 * n + 2 });
    }
  });

  it('inside a transaction it runs there, although another run waits for what the transaction has locked', async () => {
    const { claret, run } = await client();
    const { one } = sums(claret);
    const waiting: Promise<number>[] = [];
    const seen = await run(
      claret.transaction(
        'Inside',
        async (tx) => {
          await tx.counter(A).add(1);
          waiting.push(one.get(A));
          await new Promise<void>((resolve) => void environment.setTimeout(resolve, 20));
          return tx.call(one, A);
        },
        steered({ now: true, attemptsMax: 1 }),
      ),
    );
    expect(seen).toBe(0);
    expect(await run(waiting[0]!)).toBe(1);
  });

  it.each(['off', 'always'] as const)(
    'transactions that change what they have computed lose no update (combining %s)',
    async (combining) => {
      setWarranties(warranties, 'auto');
      const [first, second] = [await client({ combining }), await client({ combining })];
      const both = [first, second].map(({ claret }) => ({ claret, ...sums(claret) }));
      const count = ({ claret, all }: (typeof both)[number]) =>
        claret.transaction('Count', async (tx) => {
          const { sum } = await tx.call(all, A, B);
          tx.counter(sum % 2 === 0 ? A : B).add(1);
          return sum;
        });
      const seen: number[] = [];
      for (let round = 0; round < 4; round++) {
        seen.push(...(await first.run(Promise.all(Array.from({ length: 10 }, (_, i) => count(both[i % 2]!))))));
        expect(await first.run(both[0]!.all.get(A, B))).toMatchObject({ sum: 10 * (round + 1) });
      }
      expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, i) => i));
      if (combining === 'always') expect(first.claret.counters.members).toBeGreaterThan(0);
    },
  );

  it('who asks while the body runs joins it, and who asks later does not', async () => {
    const { claret, run, add } = await client();
    const { one, runs } = sums(claret);
    const values = await run(Promise.all([one.get(A), one.get(A), one.get(A)]));
    expect([values, runs(), claret.computations.stats.joined]).toEqual([[0, 0, 0], [A], 2]);
    await add(A);
    expect(await run(one.get(A))).toBe(1);
  });

  it('nobody joins a run whose body has ended, since it may have read before the call', async () => {
    const [reader, writer] = [await client({ warranties: 'off' }), await client()];
    const { one, runs } = sums(reader.claret);
    for (let n = 0; n < 2; n++) await reader.run(one.get(A));
    reader.shards.hold();
    const early = one.get(A);
    // The shard has voted.
    await pause(5);
    await writer.add(A);
    const late = one.get(A);
    reader.shards.goOn();
    expect(await reader.run(Promise.all([early, late]))).toEqual([0, 1]);
    expect(runs()).toEqual([A, A]);
  });

  it('what a body throws is passed on, and nothing is kept of it', async () => {
    const { claret, run } = await client();
    let fails = true;
    const moody = claret.computation('moody', { strict: false }, async (read) => {
      await read.counter(A).value();
      if (fails) throw new Error('not today');
      return 'well';
    });
    await expect(run(moody.get())).rejects.toThrow('not today');
    expect(moody.explain().state).toBe('none');
    fails = false;
    expect(await run(moody.get())).toBe('well');
  });

  it('values are shared and frozen, and arguments are told apart by what they are', async () => {
    const { claret, run } = await client();
    let runs = 0;
    const shape = claret.computation('shape', { strict: false }, async (_read, of: unknown) => {
      runs++;
      return { of, list: [1n, undefined, -0] };
    });
    const first = await run(shape.get({ b: 1n, a: [2] }));
    expect(first).toEqual({ of: { a: [2], b: 1n }, list: [1n, undefined, -0] });
    expect(Object.isFrozen(first) && Object.isFrozen(first.list)).toBe(true);
    await run(shape.get({ a: [2], b: 1n }));
    expect(runs).toBe(1);
    for (const other of [{ a: [2], b: 1 }, { a: 2, b: 1n }, null, 'null', [null]]) await run(shape.get(other));
    expect(runs).toBe(6);
    await expect(async () => shape.get(new Map())).rejects.toMatchObject({ code: 'invalid_value' });
    const odd = claret.computation('odd', { strict: false }, async () => new Date(0));
    await expect(run(odd.get())).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('a computation that is called ever deeper, or needs itself, is refused', async () => {
    const { claret, run } = await client();
    const down = claret.computation('down', { strict: false }, async (read, n: number): Promise<number> => {
      return n === 0 ? 0 : 1 + (await read.call(down, n - 1));
    });
    expect(await run(down.get(31))).toBe(31);
    await expect(run(down.get(64))).rejects.toMatchObject({ code: 'computation_too_deep' });
    const left = claret.computation('left', { strict: false }, async (read): Promise<unknown> => read.call(right));
    const right = claret.computation('right', { strict: false }, async (read): Promise<unknown> => read.call(left));
    await expect(run(left.get())).rejects.toMatchObject({ code: 'computation_too_deep' });
    const both = claret.computation('both', { strict: false }, (read) => Promise.all([read.call(left), read.call(right)]));
    await expect(run(both.get())).rejects.toMatchObject({ code: 'computation_too_deep' });
  });

  it('a client that takes no warranties, or sends one operation at a time, computes as well', async () => {
    for (const options of [{ warranties: 'off' }, { oneAtATime: true }]) {
      const { claret, run, add } = await client(options);
      const { all } = sums(claret);
      const { sum } = await run(all.get(A, B));
      await add(A);
      expect(await run(all.get(A, B))).toMatchObject({ sum: sum + 1 });
      expect(await run(claret.transaction('T', (tx) => tx.call(all, A, B)))).toMatchObject({ sum: sum + 1 });
    }
  });

  it('a record that has another type now, and that the body does not read any more, does no harm', async () => {
    const { claret, run } = await client();
    const register = claret.on.register(B);
    await run(claret.transact('Set', [register.set('counter')]));
    const either = claret.computation('either', { strict: false }, async (read) => {
      return (await read.register(B).get()) === 'counter' ? await read.counter(A).value() : await read.register(A).get();
    });
    expect(await run(either.get())).toBe(0);
    await run(claret.transaction('Other', async (tx) => void [tx.register(B).set('register'), tx.register(A).set('x')]));
    const { retries } = claret.counters;
    expect(await run(either.get())).toBe('x');
    expect(claret.counters.retries - retries).toBeLessThan(3);
  });

  it('two computations may need each other at different times', async () => {
    const { claret, run, add } = await client();
    const turn = async (read: Reader) => Number(await read.counter(A).value()) % 2;
    const one = claret.computation('one', { strict: false }, async (read): Promise<string> => {
      return (await turn(read)) === 0 ? `one over ${await read.call(other)}` : 'one';
    });
    const other = claret.computation('other', { strict: false }, async (read): Promise<string> => {
      return (await turn(read)) === 0 ? 'other' : `other over ${await read.call(one)}`;
    });
    for (let n = 0; n < 4; n++) {
      const values = [await run(one.get()), await run(other.get()), await run(claret.transaction('T', (tx) => tx.call(one)))];
      expect(values).toEqual(n % 2 === 0 ? ['one over other', 'other', 'one over other'] : ['one', 'other over one', 'one']);
      await add(A);
    }
  });
});

describe('with warranties', () => {
  beforeEach(() => setWarranties('auto'));

  it('a recall while the body runs leaves nothing that is taken for clean', async () => {
    const [reader, writer] = [await client(), await client()];
    let added: Promise<unknown> | null = null;
    const slow = reader.claret.computation('slow', { strict: false }, async (read) => {
      const before = await read.counter(A).value();
      added ??= writer.claret.transact('Add', [writer.claret.on.counter(A).add(1)]);
      await new Promise<void>((resolve) => void environment.setTimeout(resolve, 30));
      return before;
    });
    expect(await reader.run(slow.get())).toBe(0);
    await reader.run(added!);
    expect(slow.explain().state).not.toBe('clean');
    expect(await reader.run(slow.get())).toBe(1);
  });

  it('a shard that cannot be read in time fails all who ask, and nothing runs', async () => {
    const [reader, writer] = [await client({ timeoutMs: 200 }), await client()];
    const { all, runs } = sums(reader.claret);
    for (let n = 0; n < 2; n++) await reader.run(all.get(A, B));
    await writer.add(A);
    runs();
    reader.shards.hold();
    const ends = await reader.run(Promise.allSettled([all.get(A, B), all.get(A, B)]));
    // The error is that of the reading: once the time is over, nothing else is tried, which would be refused.
    expect(ends).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { code: 'gave_up' } })));
    expect([runs(), all.explain(A, B)]).toMatchObject([[], { state: 'suspect' }]);
    reader.shards.goOn();
    await pause(5);
    expect(await reader.run(all.get(A, B))).toEqual({ sum: 1, values: [1, 0] });
    expect(runs()).toEqual([A, 'all']);
  });

  it('values and grants take a limited amount of memory; those that were used last stay', async () => {
    const { claret, run } = await client();
    const big = claret.computation('big', { strict: false }, async (_read, n: number) => `${n}`.padEnd(2 ** 20, 'x'));
    const above = claret.computation('above', { strict: false }, async (read, n: number) => (await read.call(big, n)).length);
    for (let n = 0; n < 24; n++) {
      await run(above.get(n));
      await run(above.get(0));
      await pause(10);
    }
    expect(claret.computations.stats.bytes).toBeLessThan(64 * 2 ** 20);
    expect([0, 1, 23].map((n) => above.explain(n).state)).toEqual(['clean', 'none', 'clean']);
    expect(claret.computations.stats.nodes).toBeLessThan(40);
  });

  it('a value that is used all the time keeps its grants, and one that is not used is dropped', async () => {
    const { claret, run } = await client();
    const { one } = sums(claret);
    await run(one.get(A));
    await run(one.get(B));
    for (let n = 0; n < 30; n++) {
      await pause(500);
      await run(one.get(A));
    }
    expect([one.explain(A).state, one.explain(A).runs, claret.counters.grants]).toEqual(['clean', 1, 2]);
    expect(one.explain(B)).toMatchObject({ state: 'none', runs: 0 });
  });
});
