// Bodies and lists on a few hot records that lie on different shards: members of several shards, their batches, looks and turns
// (docs/decisions/0030-batches-over-shards.md). All counters of a row are always equal, wherever they lie: no run of a body may see them
// differ, whether it commits or not. Singles, natives and transactions that are not forecast meet them.
import type { Claret, HistoryAttempt, Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Chance } from '../../kit/random.ts';
import { growByParity, isTooLittle, takeFromStock, wentByAnotherSize } from './hot-bodies.ts';
import { Mixtures, type Watched } from './mixtures.ts';
import { Deliberate, type Running, type Workload } from './workload.ts';

const ROWS = 2;
const PLACES = 3;
/** The watcher reads this many members of a set. */
const MEMBERS_MAX = 1_000;

/** The transactions that read and change nothing but rows. */
const ROWS_ONLY = [0, 2, 5];

/** Without a tag: the places of a row lie on different shards. */
const cell = (row: number, place: number) => `cell:${row}:${place}`;
const set = (row: number, name: string) => `${name}:${row}`;
const keysOf = (row: number) => ({
  all: set(row, 'all'),
  even: set(row, 'even'),
  odd: set(row, 'odd'),
  stock: set(row, 'stock'),
  sold: set(row, 'sold'),
});

interface Drawn {
  transaction: Watched;
  row: number;
  first: number;
  second: number;
  member: string;
  amount: number;
  fails: boolean;
}

class HotWide implements Running {
  readonly #mixtures = new Mixtures();
  /** stocks that had less than a body saw */
  readonly #refusals: string[] = [];
  #marks = 0;
  readonly #membersOnly: boolean;

  /** @param membersOnly every transaction is a wide member, unless it has to take locks */
  constructor({ membersOnly = false } = {}) {
    this.#membersOnly = membersOnly;
  }

  run(claret: Claret, chance: Chance): Promise<unknown> {
    return this.#mixtures.watch(claret, (transaction) => this.#run(transaction, chance));
  }

  #run(transaction: Watched, chance: Chance): Promise<unknown> {
    const { claret } = transaction;
    const first = chance.below(PLACES);
    const drawn: Drawn = {
      transaction,
      row: chance.below(ROWS),
      first,
      second: (first + 1 + chance.below(PLACES - 1)) % PLACES,
      member: `m${++this.#marks}`,
      amount: 1 + chance.below(3),
      fails: chance.happens(0.1),
    };
    const grows = this.#marks < MEMBERS_MAX;
    const options = steered({ forecast: this.#membersOnly || !chance.happens(0.05) });
    const { row } = drawn;
    const { on } = claret;
    switch (this.#membersOnly ? chance.pick(ROWS_ONLY) : chance.below(9)) {
      case 0:
      case 1:
        return claret.transaction('Row', (tx) => this.#row(tx, drawn), options);
      case 2:
        return claret.transaction('Two', (tx) => this.#two(tx, drawn), options);
      case 3:
        return claret.transaction('ParityApart', (tx) => growByParity(tx, keysOf(row), drawn, grows), options);
      case 4:
        return claret
          .transaction('StockApart', (tx) => takeFromStock(tx, keysOf(row), drawn), options)
          .catch((error: unknown) => this.#refused(error));
      case 5:
        return claret.transact('RowList', [
          on.counter(cell(row, drawn.first)).value(),
          ...Array.from({ length: PLACES }, (_, place) => on.counter(cell(row, place)).add(drawn.amount)),
        ]);
      case 6:
        return claret.transact('Sees', [on.counter(cell(row, drawn.first)).value(), on.set(set(row, 'all')).size()]);
      case 7:
        return grows
          ? claret.transact('Single', [on.set(set(row, 'all')).size(), on.set(set(row, 'all')).add(drawn.member)])
          : claret.transact('Single', [on.set(set(row, 'all')).size()]);
      default:
        return chance.happens(0.5)
          ? claret.native.counter(set(row, 'sold')).add(drawn.amount)
          : claret.native.counter(cell(row, drawn.first)).value();
    }
  }

  judge(history: readonly HistoryAttempt[]) {
    const seen = [...this.#mixtures.wrong, ...this.#refusals].map((text) => ({ rule: 'what a body sees', text }));
    const decided = history
      .filter((attempt) => attempt.label === 'ParityApart' && wentByAnotherSize(attempt, (key) => key.startsWith('even:')))
      .map(({ id }) => ({ rule: 'what a body decides', text: `ParityApart ${id} went by another size` }));
    return [...seen, ...decided];
  }

  async #row(tx: Tx, { transaction, row, amount, fails }: Drawn): Promise<number> {
    const values: number[] = [];
    for (let place = 0; place < PLACES; place++) values.push(Number(await tx.counter(cell(row, place)).value()));
    if (!this.#areEqual(transaction, row, values)) return values[0]!;
    if (fails) throw new Deliberate('row');
    if (values[0]! % 4 === 3) return values[0]!;
    for (let place = 0; place < PLACES; place++) await tx.counter(cell(row, place)).add(amount);
    return values[0]!;
  }

  /** Reads only. */
  async #two(tx: Tx, { transaction, row, first, second }: Drawn): Promise<unknown> {
    const values = await Promise.all([first, second].map(async (place) => Number(await tx.counter(cell(row, place)).value())));
    this.#areEqual(transaction, row, values);
    return values;
  }

  #areEqual(transaction: Watched, row: number, values: readonly number[]): boolean {
    if (values.every((value) => value === values[0])) return true;
    this.#mixtures.saw(transaction, `row ${row} is ${values.join(', ')}`);
    return false;
  }

  /** A body that takes only what it has seen to be there is never refused. */
  #refused(error: unknown): never {
    if (isTooLittle(error)) this.#refusals.push('a body that takes what is there was refused');
    throw error;
  }
}

export const hotWide: Workload = {
  name: 'hot-wide',
  conditions: { phasing: true, combining: 'auto' },
  combined: true,
  watches: ({ on }) =>
    Array.from({ length: ROWS }, (_, row) => row).flatMap((row) =>
      ['all', 'even', 'odd'].map((name) => on.set(set(row, name)).members(MEMBERS_MAX, null)),
    ),
  begin: () => new HotWide(),
};

/** Nothing but wide members: the workload for what chains promise beside no locks (../simulation/freezes.ts). */
export const hotRows: Workload = {
  name: 'hot-rows',
  conditions: { phasing: true, combining: 'auto' },
  combined: true,
  begin: () => new HotWide({ membersOnly: true }),
};
