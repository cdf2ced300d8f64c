// The five people with the most followers (Liu et al., section 7.4 and Table 2): 98 % of the transactions ask for them, 2 % follow somebody or
// no longer do, who is drawn by a power law of exponent .7.
//
//   reads         a transaction reads the number of followers of each
//   computations  the five of each 16 people, the five of these, and so on
//   ranked        who follows also counts in a ranked set, as an application would without computations

import type { Claret, Computation } from '@claret/client';
import { readAll } from '../../kit/checking.ts';
import { randomApart } from '../../kit/random.ts';
import { writeAll } from '../../workloads/writing.ts';
import { Zipf } from '../../workloads/zipf.ts';
import type { DriverTotals } from './question.ts';
import type { Workload } from './workload.ts';

export const TOP_WAYS = ['reads', 'computations', 'ranked'] as const;
type Way = (typeof TOP_WAYS)[number];

const ALPHA = 0.7;
const WRITES = 0.02;
const TOP = 5;
const PARTS = 16;
const RANKED = 'top:ranked';

export interface Person {
  user: number;
  followers: number;
}

/** Those with the most followers first; of equals, the one with the lower number. */
export const bestOf = (people: readonly Person[]): Person[] =>
  people.toSorted((one, other) => other.followers - one.followers || one.user - other.user).slice(0, TOP);

/** How many people each part of a range has: the least power of 16 with which 16 parts suffice. */
export function partSize(count: number): number {
  let size = 1;
  while (size * PARTS < count) size *= PARTS;
  return size;
}

export class TopN implements Workload {
  readonly #claret: Claret;
  readonly #users: number;
  readonly #driver: number;
  readonly #random: () => number;
  readonly #popularity: Zipf;
  /** by followers' record: this driver's own, whom it may take away again */
  readonly #following = new Map<string, string[]>();
  #made = 0;
  readonly #top: Computation<[from: number, to: number], Person[]>;

  constructor(claret: Claret, { users, seed, driver }: { users: number; seed: number; driver: number }) {
    this.#claret = claret;
    this.#users = users;
    this.#driver = driver;
    this.#random = randomApart(seed, driver);
    this.#popularity = new Zipf(users, ALPHA);
    const computation: Computation<[from: number, to: number], Person[]> = claret.computation(
      'top',
      { version: 1, strict: false },
      async (read, from: number, to: number): Promise<Person[]> => {
        const size = partSize(to - from);
        if (size === 1) {
          const people = range(from, to).map(async (user) => ({
            user,
            followers: Number(await read.set(followersOf('reads', user)).size()),
          }));
          return bestOf(await Promise.all(people));
        }
        const parts = range(0, Math.ceil((to - from) / size)).map((part) =>
          read.call(computation, from + part * size, Math.min(to, from + (part + 1) * size)),
        );
        return bestOf((await Promise.all(parts)).flat());
      },
    );
    this.#top = computation;
  }

  async load(): Promise<void> {
    if (this.#driver > 0) return;
    const { on } = this.#claret;
    const users = range(0, this.#users);
    const writes = (['reads', 'ranked'] as const).flatMap((family) => users.map((user) => on.set(followersOf(family, user)).add('first')));
    await writeAll(this.#claret, [...writes, ...users.map((user) => on.scoredSet(RANKED).add(nameOf(user), 1))]);
  }

  async run(way: string): Promise<boolean> {
    const writes = this.#random() < WRITES;
    if (writes) await this.#follow(way as Way);
    else await this.top(way as Way);
    return writes;
  }

  async top(way: Way): Promise<Person[]> {
    const claret = this.#claret;
    if (way === 'computations') return this.#top.get(0, this.#users);
    if (way === 'ranked') {
      const best = await claret.transaction('Top', (tx) => tx.scoredSet(RANKED).range(-TOP, -1));
      return best.toReversed().map(([name, followers]) => ({ user: Number(name), followers: Number(followers) }));
    }
    const sizes = await claret.transaction('Top', (tx) =>
      Promise.all(range(0, this.#users).map((user) => tx.set(followersOf('reads', user)).size())),
    );
    return bestOf(sizes.map((followers, user) => ({ user, followers: Number(followers) })));
  }

  async #follow(way: Way): Promise<void> {
    const user = this.#popularity.draw(this.#random());
    const key = followersOf(way === 'ranked' ? 'ranked' : 'reads', user);
    const own = this.#following.get(key) ?? [];
    this.#following.set(key, own);
    const gone = this.#random() < 0.5 ? own.pop() : undefined;
    const follower = gone ?? `${this.#driver}-${this.#made++}`;
    await this.#claret.transaction('Follow', (tx) => {
      if (gone === undefined) tx.set(key).add(follower);
      else tx.set(key).remove(follower);
      if (way === 'ranked') tx.scoredSet(RANKED).increment(nameOf(user), gone === undefined ? 1 : -1);
    });
    if (gone === undefined) own.push(follower);
  }

  get totals(): DriverTotals {
    return Object.fromEntries([...this.#following].map(([key, own]) => [key, own.length]));
  }

  async mismatches(totals: DriverTotals): Promise<string[]> {
    const { on } = this.#claret;
    const users = range(0, this.#users);
    const wrong: string[] = [];
    const best = {} as Record<'reads' | 'ranked', Person[]>;
    for (const family of ['reads', 'ranked'] as const) {
      const keys = users.map((user) => followersOf(family, user));
      const sizes = await readAll(
        this.#claret,
        keys.map((key) => on.set(key).size()),
      );
      for (const [user, key] of keys.entries()) {
        const expected = 1 + (totals[key] ?? 0);
        if (sizes[user] !== expected) wrong.push(`${key} has ${sizes[user]} members, but ${expected} were acknowledged`);
      }
      best[family] = bestOf(sizes.map((followers, user) => ({ user, followers: Number(followers) })));
    }
    for (const way of TOP_WAYS) {
      const said = (await this.top(way)).map(({ followers }) => followers).join();
      const right = best[way === 'ranked' ? 'ranked' : 'reads'].map(({ followers }) => followers).join();
      if (said !== right) wrong.push(`${way}: the top five have ${said} followers, not ${right}`);
    }
    return wrong;
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const nameOf = (user: number): string => String(user);
const followersOf = (family: 'reads' | 'ranked', user: number): string => `top:${family}:${user}`;
