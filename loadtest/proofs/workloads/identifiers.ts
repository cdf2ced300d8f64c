// Unique identifiers, drawn at a shard or made by the client, used as members and fields elsewhere, so that duplicates and losses show.
import type { Tx } from '@claret/client';
import type { Workload } from './workload.ts';

const MADE = ['made:0', 'made:1', 'made:2'] as const;

export const identifiers: Workload = {
  name: 'identifiers',
  begin() {
    const wrong: string[] = [];
    return {
      async run(claret, chance) {
        const [generator, set] = [`ids:${chance.below(2)}`, `used:${chance.below(3)}`];
        if (chance.happens(0.2)) return claret.transact('Count', [claret.on.set('used:0').size(), claret.on.set('used:1').size()]);
        if (chance.happens(0.2))
          return claret.transact('Draw', [claret.on.uidGenerator(generator).next(), claret.on.uidGenerator(generator).next()]);
        if (chance.happens(0.3)) {
          const into = chance.pick(MADE);
          const [id, known] = await claret.transaction('Make', (tx) => make(tx, into));
          if (known) wrong.push(`the identifier ${id} was made twice`);
          return id;
        }
        return claret.transaction('Register', async (tx) => {
          const id = await tx.uidGenerator(generator).next();
          tx.set(set).add(id);
          tx.dict('owners').set({ [`owner ${chance.below(20)}`]: id });
          return tx.finish(tx.counter('registered').add(1));
        });
      },
      judge: () => wrong.map((text) => ({ rule: 'identifiers', text })),
    };
  },
};

/** Makes an identifier and puts it into a set. Returns it, and whether it was in any of them before. */
async function make(tx: Tx, set: (typeof MADE)[number]): Promise<[id: string, known: boolean]> {
  const id = tx.newId();
  const known = await Promise.all(MADE.map((one) => tx.set(one).contains(id)));
  tx.set(set).add(id);
  return [id, known.includes(true)];
}
