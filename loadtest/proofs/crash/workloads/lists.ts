// Lists of 500 blind writes, or of as many reads, over all shards, as members of epochs (docs/rules.md, section 18). A writing list leaves one
// text in pairs of records, of which the one lies on the first shard and the other on the last. So both of a pair are equal whenever a list
// reads them. Short lists, and bodies that take locks on the same records, come between them.

import type { Claret, Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import { SLOT_COUNT, slotOf } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { readAtRest } from '../at-rest.ts';
import { tell } from '../ledger.ts';
import { SHARDS } from '../store.ts';
import type { Begin } from '../workload.ts';

const PAIRS = 300;
const LONG = 250;
const SHORT_MAX = 8;
const LONG_SHARE = 0.4;
const BY_LOCKS_SHARE = 0.3;
/** A driver issues so many long lists in a round, since the history has each of their operations: a share of its transactions. */
const LONG_OF_ALL = 0.1;

/** The first of so many records on that shard. */
function keysOn(shard: number): string[] {
  const keys: string[] = [];
  for (let i = 0; keys.length < PAIRS; i++) {
    if (Math.floor((slotOf(`row:${i}`) * SHARDS) / SLOT_COUNT) === shard) keys.push(`row:${i}`);
  }
  return keys;
}

type Pair = readonly [string, string];

const lasts = keysOn(SHARDS - 1);
const pairs: readonly Pair[] = keysOn(0).map((key, i) => [key, lasts[i]!]);

export const lists: Begin = ({ claret, chance }) => {
  let texts = 0;
  let round = -1;
  let longLeft = 0;
  return {
    async run({ number, transactions }) {
      if (number !== round) longLeft = Math.ceil(transactions * LONG_OF_ALL);
      round = number;
      const text = `${process.pid}-${++texts}`;
      const isLong = longLeft > 0 && chance.happens(LONG_SHARE);
      if (isLong) longLeft--;
      const some = draw(chance, isLong ? LONG : 1 + chance.below(SHORT_MAX));
      const byLocks = !isLong && chance.happens(BY_LOCKS_SHARE);
      try {
        await (byLocks ? body(claret, some, text) : runList(claret, chance, some, text));
      } finally {
        const { epochCommits, epochsMissed } = claret.counters;
        tell({ epochs: { process: process.pid, commits: epochCommits, missed: epochsMissed } });
      }
    },
  };
};

function draw(chance: Chance, count: number): Pair[] {
  const first = chance.below(PAIRS);
  return Array.from({ length: count }, (_, i) => pairs[(first + i) % PAIRS]!);
}

async function runList(claret: Claret, chance: Chance, some: readonly Pair[], text: string): Promise<void> {
  const keys = [...some.map(([left]) => left), ...some.map(([, right]) => right)];
  if (chance.happens(0.5)) {
    await claret.writeOnly(
      'Import',
      keys.map((key) => claret.on.register(key).set(text)),
      steered({ way: 'epoch' }),
    );
    return;
  }
  const seen = await claret.readOnly(
    'Rows',
    keys.map((key) => claret.on.register(key).get()),
    steered({ way: 'epoch' }),
  );
  for (const unequal of unequalIn(some, seen)) tell({ failed: `a list saw half a transaction: ${unequal}` });
}

/** By locks: it reads some pairs, and changes one of them. */
async function body(claret: Claret, some: readonly Pair[], text: string): Promise<void> {
  const seen = await claret.transaction('Beside', async (tx: Tx) => {
    const values: unknown[] = [];
    for (const keys of [some.map(([left]) => left), some.map(([, right]) => right)]) {
      for (const key of keys) values.push(await tx.register(key).get());
    }
    for (const key of some[0]!) await tx.register(key).set(text);
    return values;
  });
  for (const unequal of unequalIn(some, seen)) tell({ failed: `a body saw half a transaction: ${unequal}` });
}

/** `seen`: of the left ones, then of the right ones. */
function unequalIn(some: readonly Pair[], seen: readonly unknown[]): string[] {
  return some.flatMap(([left, right], i) => {
    const [one, other] = [seen[i], seen[some.length + i]];
    return one === other ? [] : [`${left} is ${String(one)}, and ${right} is ${String(other)}`];
  });
}

/** The pairs that are not equal in the store. REQUIRES: nothing is in flight. */
export async function unevenRows(claret: Claret): Promise<string[]> {
  const seen = await readAtRest(
    claret,
    'AllRows',
    [...pairs.map(([left]) => left), ...pairs.map(([, right]) => right)].map((key) => claret.on.register(key).get()),
  );
  return unequalIn(pairs, seen).map((unequal) => `half a list: ${unequal}`);
}
