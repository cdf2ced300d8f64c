// Bodies that decide by what they read, on a few records that all of them want: they are forecast, sent whole, and often withdrawn
// (docs/decisions/0028-forecasts-and-chains.md). Some read pairs of counters that every commit keeps equal: no run of a body may see them
// differ, whether it commits or not. Natives and transactions that are not forecast meet them.
import type { Claret, HistoryAttempt, Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Chance } from '../../kit/random.ts';
import { growByParity, isTooLittle, takeFromStock, wentByAnotherSize } from './hot-bodies.ts';
import { Mixtures, type Watched } from './mixtures.ts';
import { Deliberate, perform, type Running, type Workload } from './workload.ts';

const GROUPS = 2;
const PAIRS_APART = 2;
/** The watcher reads this many members of a set. */
const MEMBERS_MAX = 1_000;

/** The records of a group lie on one shard. */
const key = (group: number, name: string) => `{crowd:${group}}:${name}`;
const keysOf = (group: number) => ({
  all: key(group, 'all'),
  even: key(group, 'even'),
  odd: key(group, 'odd'),
  stock: key(group, 'stock'),
  sold: key(group, 'sold'),
});

export class HotForecast implements Running {
  readonly #mixtures = new Mixtures();
  /** pairs on one shard that a body saw differ, and stocks that had less than a body saw */
  readonly #unequal: string[] = [];
  #marks = 0;
  readonly #kinds: number;
  readonly #apart: boolean;

  /**
   * @param natives a killed process does not tell which natives it had under way
   * @param apart some pairs lie on two shards; a killed process does not tell in which batches their transactions were
   */
  constructor({ natives = true, apart = true } = {}) {
    this.#kinds = natives ? 10 : 8;
    this.#apart = apart;
  }

  run(claret: Claret, chance: Chance): Promise<unknown> {
    return this.#mixtures.watch(claret, (transaction) => this.#run(transaction, chance));
  }

  #run(transaction: Watched, chance: Chance): Promise<unknown> {
    const { claret } = transaction;
    const group = chance.below(GROUPS);
    const drawn = { group, member: `m${++this.#marks}`, amount: 1 + chance.below(3), fails: chance.happens(0.1) };
    const grows = this.#marks < MEMBERS_MAX;
    const options = steered({ forecast: !chance.happens(0.1) });
    switch (chance.below(this.#kinds)) {
      case 0:
        return claret.transaction('Parity', (tx) => growByParity(tx, keysOf(group), drawn, grows), options);
      case 1:
        return claret.transaction('Pair', (tx) => this.#pair(tx, key(group, 'left'), key(group, 'right'), drawn, null), options);
      case 2: {
        const apart = chance.below(PAIRS_APART);
        const [left, right] = this.#apart ? [`near:${apart}`, `far:${apart}`] : [`left:${apart}`, `right:${apart}`];
        return claret.transaction('PairApart', (tx) => this.#pair(tx, left, right, drawn, transaction));
      }
      case 3:
        return claret
          .transaction('Stock', (tx) => takeFromStock(tx, keysOf(group), drawn), options)
          .catch((error: unknown) => this.#refused(error));
      case 4:
        return claret.transaction('Top', (tx) => this.#top(tx, drawn), options);
      case 5:
        return claret.transaction('Adds', async (tx) => {
          if (grows) await tx.set(key(group, 'all')).add(drawn.member);
          await tx.counter(key(group, 'left')).add(drawn.amount);
          await tx.counter(key(group, 'right')).add(drawn.amount);
        });
      case 6:
        return claret.transact('Look', [claret.on.set(key(group, 'all')).size(), claret.on.topK(key(group, 'top')).top(3)]);
      case 7:
        return perform(claret, chance, 'Mixed', [
          claret.on.set(key(group, 'all')).size(),
          ...(grows ? [claret.on.set(key(group, 'odd')).add(drawn.member)] : []),
          claret.on.dict(key(group, 'fields')).increment('count', drawn.amount),
          claret.on.dict(key(group, 'fields')).get('count'),
        ]);
      case 8:
        return chance.happens(0.5)
          ? claret.native.counter(key(group, 'sold')).add(drawn.amount)
          : claret.native.topK(key(group, 'top')).top(3);
      default:
        return grows ? claret.native.set(key(group, 'odd')).add(drawn.member) : claret.native.set(key(group, 'odd')).size();
    }
  }

  judge(history: readonly HistoryAttempt[]) {
    const seen = [...this.#mixtures.wrong, ...this.#unequal].map((text) => ({ rule: 'what a body sees', text }));
    const decided = history
      .filter((attempt) => attempt.label === 'Parity' && wentByAnotherSize(attempt, (name) => name.endsWith(':even')))
      .map(({ id }) => ({ rule: 'what a body decides', text: `Parity ${id} went by another size` }));
    return [...seen, ...decided];
  }

  /** @param apart the pair may lie on two shards; null: it does not */
  async #pair(tx: Tx, left: string, right: string, { amount, fails }: Drawn, apart: Watched | null): Promise<number> {
    const first = Number(await tx.counter(left).value());
    const second = Number(await tx.counter(right).value());
    if (first !== second) {
      const text = `${left} is ${first}, ${right} is ${second}`;
      if (apart === null) this.#unequal.push(text);
      else this.#mixtures.saw(apart, text);
      return first;
    }
    if (fails) throw new Deliberate('pair');
    if (first % 4 === 3) return first;
    await tx.counter(left).add(amount);
    await tx.counter(right).add(amount);
    return first;
  }

  /** A body that takes only what it has seen to be there is never refused. */
  #refused(error: unknown): never {
    if (isTooLittle(error)) this.#unequal.push('a body that takes what is there was refused');
    throw error;
  }

  async #top(tx: Tx, { group, member, amount }: Drawn): Promise<unknown> {
    const top = tx.topK(key(group, 'top'));
    const best = await top.max();
    const score = (best === null ? 0 : best[1]) + amount - 2;
    await top.add(member, score);
    return tx.finish(tx.register(key(group, 'last')).set(member));
  }
}

interface Drawn {
  group: number;
  member: string;
  amount: number;
  fails: boolean;
}

export const hotForecast: Workload = {
  name: 'hot-forecast',
  conditions: { phasing: true, combining: 'auto' },
  combined: true,
  watches: ({ on }) =>
    Array.from({ length: GROUPS }, (_, group) => group).flatMap((group) => [
      ...['all', 'even', 'odd'].map((name) => on.set(key(group, name)).members(MEMBERS_MAX, null)),
      on.register(key(group, 'last')).get(),
    ]),
  begin: () => new HotForecast(),
};
