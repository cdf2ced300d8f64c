// Clients that compute, writers at the same and other clients, and disturbances, all in one simulated world. Every value has to be one that held
// at some moment between call and return; values inside of transactions have to be those of their timestamps.

import { expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { ComputationStats } from './computations.ts';
import { expectOrderOfTimestamps, expectRealTime, type Done } from '../testing/committed-order.ts';
import { keyOn } from '../testing/keys.ts';
import { freshSeed } from '../testing/random.ts';
import { WarrantyWorld } from '../testing/warranty-world.ts';

const TIMEOUT_MS = 60_000;
const [X, Y, Z] = [keyOn(0, 'x'), keyOn(1, 'y'), keyOn(0, 'z')];
/** Every transaction leaves these two equal. */
const PAIR = [keyOn(0, 'pair'), keyOn(1, 'pair')] as const;
const KEYS = [X, Y, Z, ...PAIR];

type Counts = Readonly<Record<string, number>>;

function computationsOf(claret: Claret) {
  const one = claret.computation('one', { strict: false }, async (read, key: string): Promise<Counts> => {
    return { [key]: Number(await read.counter(key).value()) };
  });
  const some = claret.computation('some', { strict: false }, async (read, ...keys: string[]): Promise<Counts> => {
    const parts = await Promise.all(keys.map((key) => read.call(one, key)));
    return Object.assign({}, ...parts) as Counts;
  });
  // Two levels above the leaves, and one leaf of its own.
  const all = claret.computation('all', { strict: false }, async (read): Promise<Counts> => {
    const z = Number(await read.counter(Z).value());
    return { ...(await read.call(some, X, Y)), ...(await read.call(some, ...PAIR)), [Z]: z };
  });
  // Which record it reads depends on another one.
  const either = claret.computation('either', { strict: false }, async (read): Promise<Counts> => {
    const x = await read.call(one, X);
    return x[X]! % 2 === 0 ? { ...x, ...(await read.call(one, Y)) } : { ...x, ...(await read.call(one, Z)) };
  });
  // Comes out the same most of the time.
  const coarse = claret.computation('coarse', { strict: false }, async (read): Promise<number> => {
    return Math.floor((await read.call(one, X))[X]! / 5);
  });
  const above = claret.computation('above', { strict: false }, async (read): Promise<string> => {
    return `x is about ${5 * (await read.call(coarse))}`;
  });
  return { one, some, all, either, above };
}

/** A value that `get` has given, as what it says of counters. */
interface Got {
  readonly label: string;
  readonly calledMs: number;
  readonly gotMs: number;
  /** What it says of each counter. */
  readonly says: readonly (readonly [key: string, fits: (count: number) => boolean, text: string])[];
}

class Story extends WarrantyWorld {
  readonly done: Done[] = [];
  readonly got: Got[] = [];
  computing: readonly ReturnType<typeof computationsOf>[] = [];
  /** bodies that saw half of a transaction */
  unequal = 0;

  override async start(): Promise<void> {
    await super.start();
    this.computing = this.clients.map(computationsOf);
  }

  async #get(label: string, value: () => Promise<Counts>): Promise<void> {
    const calledMs = this.world.monotonicMs();
    const counts = await value();
    const gotMs = this.world.monotonicMs();
    if (PAIR.every((key) => key in counts)) expect(counts[PAIR[0]]).toBe(counts[PAIR[1]]);
    const says = Object.entries(counts).map(([key, count]) => [key, (there: number) => there === count, `${count}`] as const);
    this.got.push({ label, calledMs, gotMs, says });
  }

  async read(client: number): Promise<void> {
    const { random } = this;
    const { one, some, all, either, above } = this.computing[client]!;
    while (this.goesOn) {
      const kind = random.below(6);
      if (kind === 0) {
        const key = random.pick(KEYS);
        await this.#get('one', () => one.get(key));
      } else if (kind === 1) await this.#get('some', () => some.get(...PAIR));
      else if (kind === 2) await this.#get('all', () => all.get());
      else if (kind === 3) await this.#get('either', () => either.get());
      else if (kind === 4) {
        const calledMs = this.world.monotonicMs();
        const about = Number(/\d+$/.exec(await above.get())![0]);
        const says = [[X, (x: number) => x >= about && x < about + 5, `about ${about}`] as const];
        this.got.push({ label: 'above', calledMs, gotMs: this.world.monotonicMs(), says });
      } else {
        // Several at once, of which some join.
        await Promise.all([this.#get('all', () => all.get()), this.#get('all', () => all.get()), this.#get('x', () => one.get(X))]);
      }
      await this.pause(random.pick([0, 1, random.below(20)]));
    }
  }

  /** Asks again and again, also while a shard cannot be reached and earlier questions are not answered. */
  async look(client: number): Promise<void> {
    const { one, some } = this.computing[client]!;
    const asked: Promise<void>[] = [];
    while (this.goesOn) {
      const key = this.random.pick(KEYS);
      asked.push(this.random.below(2) === 0 ? this.#get('one', () => one.get(key)) : this.#get('some', () => some.get(...PAIR)));
      await this.pause(this.random.below(50));
    }
    await Promise.all(asked);
  }

  async write(client: number): Promise<void> {
    const { random } = this;
    const { one, some, all } = this.computing[client]!;
    while (this.goesOn) {
      await this.pause(random.below(60));
      const begunMs = this.world.monotonicMs();
      const kind = random.below(6);
      const adds = kind === 4 ? [] : kind < 2 ? PAIR : [random.pick([X, Y, Z])];
      const addsFirst = random.below(2) === 0;
      const pauseMs = random.below(4) === 0 ? random.below(30) : 0;
      let at = 0n;
      let counts: Counts = {};
      await this.clients[client]!.transaction(
        'Write',
        async (tx) => {
          const add = () => adds.forEach((key) => void tx.counter(key).add(1));
          if (addsFirst) add();
          counts = {};
          if (kind === 3) counts = { ...(await tx.call(some, X, Y)), ...(await tx.call(one, PAIR[0])) };
          if (pauseMs > 0) await this.pause(pauseMs);
          if (kind === 3) counts = { ...counts, [Z]: Number(await tx.counter(Z).value()), ...(await tx.call(one, PAIR[1])) };
          else if (kind > 0 && kind < 5) counts = await tx.call(all);
          if (counts[PAIR[0]] !== counts[PAIR[1]]) this.unequal++;
          if (!addsFirst) add();
        },
        { timeoutMs: TIMEOUT_MS, onCommit: ({ committedAt }) => void (at = committedAt) },
      );
      const reads = Object.entries(counts);
      this.done.push({ label: 'Write', begunMs, endedMs: this.world.monotonicMs(), at, reads, adds });
    }
  }

  /** Throws an Error if a value held at no moment between call and return. */
  expectHeld(): void {
    const adds = new Map(KEYS.map((key) => [key, this.done.filter((one) => one.adds.includes(key))]));
    const began = new Map([...adds].map(([key, there]) => [key, sorted(there.map(({ begunMs }) => begunMs))]));
    const ended = new Map([...adds].map(([key, there]) => [key, sorted(there.map(({ endedMs }) => endedMs))]));
    const times = sorted(this.done.flatMap(({ begunMs, endedMs }) => [begunMs, endedMs]));
    /** What a counter may have been at that time. */
    const possible = (key: string, ms: number): number[] => {
      const least = countBelow(ended.get(key)!, ms);
      const most = countBelow(began.get(key)!, ms + Number.EPSILON * ms);
      return Array.from({ length: Math.max(1, most - least + 1) }, (_, i) => least + i);
    };
    for (const { label, calledMs, gotMs, says } of this.got) {
      const between = times.slice(countBelow(times, calledMs), countBelow(times, gotMs));
      const held = [calledMs, ...between, gotMs].some((ms) => says.every(([key, fits]) => possible(key, ms).some(fits)));
      if (held) continue;
      const about = says.map(([key, , text]) => `${key}: ${text}, was ${possible(key, calledMs)} to ${possible(key, gotMs)}`);
      throw new Error(`${label} from ${calledMs} to ${gotMs} ms: ${about.join('; ')}`);
    }
  }
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

/** How many of the sorted numbers are below the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

it.each([
  ['no value is stale without warranties', { breaks: false, combining: 'off', warranties: 'off', lengthMs: 1_500 }],
  ['no value is stale with warranties', { breaks: false, combining: 'off', warranties: 'auto', lengthMs: 4_000 }],
  ['no value is stale while sessions break', { breaks: true, combining: 'off', warranties: 'auto', lengthMs: 4_000 }],
  [
    'no value is stale while other transactions are sent in chains',
    { breaks: true, combining: 'always', warranties: 'auto', lengthMs: 4_000 },
  ],
] as const)('%s', async (_case, options) => {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  const story = new Story(seed, options);
  await story.start();
  const clients = story.clients.map((_client, i) => i);
  await story.world.runUntil(Promise.all([story.disturb(), ...clients.flatMap((i) => [story.read(i), story.look(i), story.write(i)])]));
  const stats = story.clients.map(({ computations }) => computations.stats);
  const sum = (name: keyof ComputationStats) => stats.reduce((total, one) => total + one[name], 0);
  console.log({
    got: story.got.length,
    done: story.done.length,
    ...Object.fromEntries((['hits', 'joined', 'runs', 'refreshed', 'proved', 'cutoffs'] as const).map((name) => [name, sum(name)])),
    retries: story.clients.reduce((total, { counters }) => total + counters.retries, 0),
  });
  story.expectHeld();
  expectOrderOfTimestamps(story.done);
  expectRealTime(story.done, KEYS);
  if (!options.breaks) expect(story.unequal).toBe(0);
  expect(sum('proved')).toBeGreaterThan(20);
  expect(sum('cutoffs')).toBeGreaterThan(0);
  expect(sum('joined')).toBeGreaterThan(20);
  if (options.warranties === 'auto') expect(sum('hits')).toBeGreaterThan(100);
  if (options.warranties === 'auto') expect(sum('refreshed')).toBeGreaterThan(10);
  await story.stop();
});
