// The ways of sending an item of the traffic.

import type { Claret } from '@claret/client';
import { senderUnder } from '../../kit/sent-as-natives.ts';
import { curveNamed, type Curve } from './curves.ts';
import type { Item, Step } from './traffic.ts';

const LABEL = 'Mix';

/** Rejects with `ClaretError`. */
export type Send = (item: Item) => Promise<unknown>;

export function sendingOf(curve: Curve, claret: Claret): Send {
  const sender = senderUnder(curveNamed(curve).under, claret, { oneAtATime: false });
  const single = curve === 'transactional' ? asTransaction(claret) : asNative(claret);
  return ({ isNative, steps }) => (isNative ? single(steps[0]!) : transactionOf(sender, steps));
}

export const asNative =
  (claret: Claret) =>
  ({ operation }: Step): Promise<unknown> =>
    claret.native.perform(operation);

export const asTransaction =
  (claret: Claret) =>
  ({ operation }: Step): Promise<unknown> =>
    claret.transact(LABEL, [operation]);

/** Interactive: each read is awaited; adds travel with the next read or with the commit, which goes with the last operation. */
export function transactionOf(claret: Claret, steps: readonly Step[]): Promise<unknown> {
  return claret.transaction(LABEL, async (tx) => {
    const last = steps.length - 1;
    for (let i = 0; i < last; i++) {
      const { operation, reads } = steps[i]!;
      const answer = tx.perform(operation);
      if (reads) await answer;
    }
    return tx.finish(tx.perform(steps[last]!.operation));
  });
}
