// Each transaction reads a record and then changes it depending on the result: two of them on one record must be serialized. A lost
// update shows in the results.
import type { Workload } from './workload.ts';
import { Deliberate } from './workload.ts';

const RECORDS = 3;

export const upgraders: Workload = {
  name: 'upgraders',
  run(claret, chance) {
    const [one, other] = [`slot:${chance.below(RECORDS)}`, `slot:${chance.below(RECORDS)}`];
    const kind = chance.below(3);
    const givesUp = chance.happens(0.05);
    return claret.transaction<unknown>('Upgrade', async (tx) => {
      if (kind === 0) {
        const value = await tx.counter(one).value();
        const mirrored = await tx.counter(other).value();
        if (givesUp) throw new Deliberate('upgrade');
        tx.counter(one).add(value === mirrored ? 1 : 2);
        return tx.finish(tx.counter(other).add(1));
      }
      if (kind === 1) {
        const seen = await tx.register(`text ${one}`).get();
        const next = `${String(seen ?? '').slice(-6)}${chance.below(10)}`;
        if (givesUp) throw new Deliberate('upgrade');
        return tx.register(`text ${one}`).compareAndSet(seen, next);
      }
      const size = await tx.set(`set ${one}`).size();
      await tx.set(`set ${other}`).contains('x');
      if (givesUp) throw new Deliberate('upgrade');
      tx.set(`set ${other}`).add(`x${size}`);
      return undefined;
    });
  },
};

/** Forecasts of what is read are often wrong. */
export const upgradersCrowd: Workload = { ...upgraders, name: 'upgraders-crowd', conditions: { combining: 'auto' }, combined: true };
