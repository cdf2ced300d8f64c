// Values that an app server has made firm and lends to others, as one does with pages that a cache keeps: it serves them for as long as they are
// firm, and hears of no recall. Those who are served stand in the history as observers, at the time of the transaction that has read the value. So
// the check finds each of them that was told something which had changed before it asked.
import type { Claret, HistoryValue } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Around, Running, Workload } from './workload.ts';

const RECORDS = 6;
const CHANGE_SHARE = 0.06;
/** For so long values are wanted to be firm: less than they last, or shards refuse. */
const FIRM_MS = [10, 40, 150];

const keyOf = (number: number) => `lent:${number}`;

interface Loan {
  value: HistoryValue;
  /** when it was read: a commit timestamp */
  at: bigint;
  leftMs: () => number;
}

class Lent implements Running {
  /** by app server, then by key */
  readonly #loans = new WeakMap<Claret, Map<string, Loan>>();
  #served = 0;
  #changes = 0;

  async run(claret: Claret, chance: Chance, around: Around): Promise<unknown> {
    const key = keyOf(chance.below(RECORDS));
    if (chance.happens(CHANGE_SHARE)) return claret.transact('Change', [claret.on.register(key).set(`value ${++this.#changes}`)]);
    const loans = this.#loansOf(claret);
    const loan = loans.get(key);
    if (loan !== undefined && this.#serve(key, loan, around)) return undefined;
    loans.delete(key);
    return this.#read(claret, key, chance.pick(FIRM_MS));
  }

  #loansOf(claret: Claret): Map<string, Loan> {
    let loans = this.#loans.get(claret);
    if (loans === undefined) this.#loans.set(claret, (loans = new Map()));
    return loans;
  }

  /** False: it may be out of date. */
  #serve(key: string, { value, at, leftMs }: Loan, { process, monotonicMs, told }: Around): boolean {
    const calledMs = monotonicMs();
    if (leftMs() === 0) return false;
    const id = `lent:${++this.#served}`;
    told({
      id,
      transaction: id,
      process: `borrower of ${process}`,
      label: 'Borrow',
      call: calledMs * 1e6,
      return: monotonicMs() * 1e6,
      outcome: 'ok',
      order: String(at),
      ops: [{ key, type: 'Register', op: 'get', args: [], result: value, via: 'warranty' }],
    });
    return true;
  }

  async #read(claret: Claret, key: string, forMs: number): Promise<void> {
    let at = 0n;
    const onCommit = ({ committedAt }: { committedAt: bigint }) => void (at = committedAt);
    const firm = await claret.firm('Lend', async (tx) => tx.register(key).get(), forMs, { onCommit });
    this.#loansOf(claret).set(key, { value: firm.result as HistoryValue, at, leftMs: firm.leftMs });
  }
}

export const lent: Workload = { name: 'lent', warranted: true, conditions: { combining: 'off' }, begin: () => new Lent() };
