// A few records that many read and few change. Most changes pass what is warranted, as the types judge; the others violate it. So at least half of
// the answers come from memory (../simulation/warranties.test.ts).
import type { Claret, Description } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const READS_MAX = 3;
/** Those who ask for no more than one result do not wait for it: they read on while nothing comes from its shard. */
const BRIEF_MS = 20;
const MADE_UP = 1_000_000;
/** Once the best three are above this, lower ones leave them alone. */
const HIGH = 1_000;

type On = Claret['on'];

const top = (on: On) => on.topK('promised:top');
const members = (on: On) => on.set('promised:members');
const fields = (on: On) => on.dict('promised:fields');
const scores = (on: On) => on.scoredSet('promised:scores');
const text = (on: On) => on.register('promised:text');
const count = (on: On) => on.counter('promised:count');

const READS: readonly ((on: On) => Description<unknown>)[] = [
  (on) => top(on).top(3),
  (on) => top(on).max(),
  (on) => members(on).contains('a'),
  (on) => members(on).contains('b'),
  (on) => fields(on).get('a', 'b'),
  (on) => fields(on).get('a'),
  (on) => scores(on).score('a'),
  (on) => scores(on).range(0, 1),
  (on) => text(on).get(),
  (on) => count(on).value(),
];

/** They leave alone what is read, or nearly always. */
const PASSING: readonly ((on: On, n: number) => Description<unknown>)[] = [
  (on, n) => top(on).add(`low ${n}`, n % HIGH),
  (on, n) => members(on).add(`other ${n}`),
  (on, n) => fields(on).set({ [`other ${n % 4}`]: n }),
  (on, n) => fields(on).increment('counted', n),
  (on, n) => scores(on).add(`low ${n % 4}`, -n),
];

const VIOLATING: readonly ((on: On, n: number) => Description<unknown>)[] = [
  (on, n) => top(on).add(`high ${n}`, HIGH + n),
  (on, n) => (n % 2 === 0 ? members(on).add('a') : members(on).remove('a')),
  (on, n) => fields(on).set({ a: n, b: n }),
  (on, n) => scores(on).add('a', n),
  (on, n) => text(on).set(n),
  (on, n) => count(on).add(n),
];

/** Some of several items, also one of them more than once. */
const some = <Item>(chance: Chance, items: readonly Item[], max: number): Item[] =>
  Array.from({ length: 1 + chance.below(max) }, () => chance.pick(items));

export const promised: Workload = {
  name: 'promised',
  warranted: true,
  conditions: { combining: 'off' },
  run(claret, chance) {
    const { on } = claret;
    const kind = chance.next();
    if (chance.happens(0.4)) return claret.transact('Glance', [chance.pick(READS)(on)], { timeoutMs: BRIEF_MS });
    const reads = some(chance, READS, READS_MAX).map((read) => read(on));
    if (kind < 0.92) return perform(claret, chance, 'Look', reads);
    const n = chance.below(MADE_UP);
    const changes = kind < 0.97 ? some(chance, PASSING, 2) : [chance.pick(VIOLATING)];
    const operations = changes.map((change) => change(on, n));
    // What it reads and violates itself is validated, not pinned.
    return perform(claret, chance, 'Change', chance.happens(0.4) ? [...reads, ...operations] : operations);
  },
};
