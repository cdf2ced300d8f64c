// Long lists: each transaction writes or reads both registers of 150 pairs out of 10,000, all of them in one list. A write gives the two
// registers of a pair the same number, its own, so whoever reads a pair must find them equal. Keys go to shards by their hash, so nearly every
// list is at all shards, and many a pair at two. The registers belong to no site. They stay, and the next such spike uses them again.

import type { Claret } from '@claret/client';
import { readAll } from '../../kit/checking.ts';
import { writeAll } from '../../workloads/writing.ts';
import { commitStateOf } from './commit-state.ts';
import { PairCheck } from './pair-check.ts';
import type { Checked, Spike, SpikeOptions } from './spike.ts';

const PAIRS = 10_000;
const PAIRS_PER_LIST = 150;
/** the share of lists that write */
const WRITES = 0.5;

const keysOf = (pair: number) => [`spike:lists:left:${pair}`, `spike:lists:right:${pair}`];

export async function listsSpike(claret: Claret, { random }: SpikeOptions): Promise<Spike> {
  const spike = new ListsSpike(random);
  // Numbers of an earlier spike would be taken for this one's.
  await writeAll(
    claret,
    spike.keys.map((key) => claret.on.register(key).set(PairCheck.FIRST)),
  );
  return spike;
}

class ListsSpike implements Spike {
  readonly page = null;
  readonly keys = Array.from({ length: PAIRS }, (_, pair) => keysOf(pair)).flat();
  readonly #random: () => number;
  readonly #check = new PairCheck(PAIRS);

  constructor(random: () => number) {
    this.#random = random;
  }

  run(claret: Claret): Promise<void> {
    const pairs = this.#draw();
    return this.#random() < WRITES ? this.#write(claret, pairs) : this.#read(claret, pairs);
  }

  #draw(): number[] {
    const drawn = new Set<number>();
    while (drawn.size < PAIRS_PER_LIST) drawn.add(Math.floor(this.#random() * PAIRS));
    return [...drawn];
  }

  async #write(claret: Claret, pairs: readonly number[]): Promise<void> {
    const write = this.#check.begin();
    const list = pairs.flatMap(keysOf).map((key) => claret.on.register(key).set(write.text));
    const onCommit = ({ committedAt }: { committedAt: bigint }) => this.#check.committed(write, pairs, committedAt);
    try {
      await claret.writeOnly('WriteList', list, { onCommit });
    } catch (error) {
      if (commitStateOf(error) !== 'none') this.#check.unsure(write);
      throw error;
    }
  }

  async #read(claret: Claret, pairs: readonly number[]): Promise<void> {
    const least = this.#check.least(pairs);
    const values = await claret.readOnly(
      'ReadList',
      pairs.flatMap(keysOf).map((key) => claret.on.register(key).get()),
    );
    this.#check.read(pairs, values, least);
  }

  async check(claret: Claret): Promise<Checked> {
    const values = await readAll(
      claret,
      this.keys.map((key) => claret.on.register(key).get()),
    );
    return { what: 'newest writes', ...this.#check.compared(values), mismatches: this.#check.mismatches(values) };
  }

  async clearUp(): Promise<void> {}
}
