// The past: pairs of counters on two shards to which every commit adds the same, and readers of both as of earlier moments: of commits that they
// know, and of the shards' clocks. Whatever the moment, both are equal, and they hold what had committed by then for certain and no more than may have.
import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Running, Workload } from './workload.ts';

const PAIRS = 3;
const MOMENTS_KEPT = 50;
const BACK_MS_MAX = 2_000;
const AHEAD_MS_MAX = 10;
/** of timestamps */
const UNITS_PER_MS = 4_000n * 256n;

interface Added {
  pair: number;
  amount: number;
  /** null: it may have committed at any time */
  at: bigint | null;
}

interface Seen {
  pair: number;
  at: bigint;
  left: number;
  right: number;
}

const keysOf = (pair: number): [string, string] => [`past:${pair}:left`, `past:${pair}:right`];

class AsOf implements Running {
  readonly #added: Added[] = [];
  readonly #seen: Seen[] = [];

  run(claret: Claret, chance: Chance): Promise<unknown> {
    const pair = chance.below(PAIRS);
    return chance.happens(0.5) ? this.#add(claret, chance, pair) : this.#look(claret, chance, pair);
  }

  async #add(claret: Claret, chance: Chance, pair: number): Promise<void> {
    const [left, right] = keysOf(pair);
    const added: Added = { pair, amount: 1 + chance.below(9), at: null };
    const onCommit = ({ committedAt }: { committedAt: bigint }) => (added.at = committedAt);
    this.#added.push(added);
    try {
      if (chance.happens(0.5)) {
        await claret.transact('AddBoth', [claret.on.counter(left).add(added.amount), claret.on.counter(right).add(added.amount)], {
          onCommit,
        });
      } else {
        const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
          await tx.counter(left).value();
          tx.counter(left).add(added.amount);
          tx.counter(right).add(added.amount);
        };
        await claret.transaction('GrowBoth', body, { onCommit });
      }
    } catch (error) {
      if ((error as { commitState?: string }).commitState === 'none') this.#added.splice(this.#added.indexOf(added), 1);
      throw error;
    }
  }

  async #look(claret: Claret, chance: Chance, pair: number): Promise<void> {
    const known = this.#added.flatMap(({ at }) => at ?? []).slice(-MOMENTS_KEPT);
    if (known.length > 0 && chance.happens(0.4)) return this.#see(claret, pair, chance.pick(known) - (chance.happens(0.3) ? 1n : 0n));
    // What others are about to commit has voted by now, or is about to.
    const aheadMs = chance.happens(0.7) ? chance.below(AHEAD_MS_MAX) : -chance.below(BACK_MS_MAX);
    let now = 0n;
    const key = chance.pick(keysOf(chance.below(PAIRS)));
    await claret.native.perform(claret.on.counter(key).value(), { onExecuted: (at) => (now = at) });
    await this.#see(claret, pair, now + BigInt(aheadMs) * UNITS_PER_MS);
  }

  async #see(claret: Claret, pair: number, at: bigint): Promise<void> {
    const then = claret.asOf(at);
    const [left, right] = await Promise.all(keysOf(pair).map((key) => then.counter(key).value()));
    this.#seen.push({ pair, at, left: Number(left), right: Number(right) });
  }

  judge() {
    return this.#seen.flatMap(({ pair, at, left, right }) => {
      const own = this.#added.filter((added) => added.pair === pair);
      const sum = (some: readonly Added[]) => some.reduce((all, { amount }) => all + amount, 0);
      const least = sum(own.filter((added) => added.at !== null && added.at <= at));
      const most = least + sum(own.filter((added) => added.at === null));
      if (left === right && left >= least && left <= most) return [];
      return [{ rule: 'the past', text: `as of ${at}, pair ${pair} was ${left} and ${right}; committed: ${least} to ${most}` }];
    });
  }
}

export const asOf: Workload = { name: 'as-of', keepsPast: true, begin: () => new AsOf() };
