// Unique identifiers, used as members and fields elsewhere, so that duplicates and losses show.
import type { Workload } from './workload.ts';

export const identifiers: Workload = {
  name: 'identifiers',
  run(claret, chance) {
    const [generator, set] = [`ids:${chance.below(2)}`, `used:${chance.below(3)}`];
    if (chance.happens(0.2)) return claret.transact('Count', [claret.on.set('used:0').size(), claret.on.set('used:1').size()]);
    if (chance.happens(0.2))
      return claret.transact('Draw', [claret.on.uidGenerator(generator).next(), claret.on.uidGenerator(generator).next()]);
    return claret.transaction('Register', async (tx) => {
      const id = await tx.uidGenerator(generator).next();
      tx.set(set).add(id);
      tx.dict('owners').set({ [`owner ${chance.below(20)}`]: id });
      return tx.finish(tx.counter('registered').add(1));
    });
  },
};
