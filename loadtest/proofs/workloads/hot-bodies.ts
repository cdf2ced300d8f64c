// Bodies that decide by what they read, for workloads on hot records, wherever these lie.
import type { ClaretError, HistoryAttempt, Tx } from '@claret/client';
import { Deliberate } from './workload.ts';

interface Drawn {
  member: string;
  amount: number;
  fails: boolean;
}

/** By the parity of the size of `all`, the member goes to `even` or to `odd`. Some also grow `all`. */
export async function growByParity(
  tx: Tx,
  { all, even, odd }: { all: string; even: string; odd: string },
  { member, fails }: Pick<Drawn, 'member' | 'fails'>,
  grows: boolean,
): Promise<void> {
  const size = Number(await tx.set(all).size());
  if (fails && size % 5 === 0) throw new Deliberate('parity');
  if (grows && size % 3 === 0) await tx.set(all).add(member);
  if (grows) await tx.set(size % 2 === 0 ? even : odd).add(member);
}

/** A committed `growByParity` that does not follow from what it read. `isEven`: the key is that of `even`. */
export function wentByAnotherSize({ outcome, ops }: HistoryAttempt, isEven: (key: string) => boolean): boolean {
  if (outcome !== 'ok' || ops.length < 2) return false;
  return isEven(ops.at(-1)!.key) !== (Number(ops[0]!.result) % 2 === 0);
}

/** Takes only what it has seen to be there, and counts what is sold. */
export async function takeFromStock(
  tx: Tx,
  keys: { stock: string; sold: string },
  { amount, fails }: Pick<Drawn, 'amount' | 'fails'>,
): Promise<boolean> {
  const stock = tx.boundedCounter(keys.stock);
  const left = Number(await stock.value());
  if (left < 3) {
    await stock.increment(5);
    return false;
  }
  if (fails) throw new Deliberate('stock');
  const fits = left >= amount && amount !== 2;
  const taken = fits || (await stock.tryDecrement(amount));
  if (fits) await stock.decrement(amount);
  if (taken) await tx.counter(keys.sold).add(amount);
  return taken;
}

/** The error with which a stock refuses to give what is not there. `takeFromStock` never gets it. */
export const isTooLittle = (error: unknown): boolean => (error as ClaretError).code === 'below_bound';
