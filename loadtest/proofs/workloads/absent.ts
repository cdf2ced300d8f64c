// Records that do not exist yet, which are read as what they might become, and then made: as one type, while others still hold them for another.
// A record has one type for ever.
import type { Claret, Description } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Running, Workload } from './workload.ts';
import { perform } from './workload.ts';

/** Among the newest records are some that do not exist. */
const NEW = 4;
const NEXT_SHARE = 0.05;

type On = Claret['on'];

const READS: Readonly<Record<string, (on: On, key: string) => Description<unknown>>> = {
  Counter: (on, key) => on.counter(key).value(),
  Set: (on, key) => on.set(key).size(),
  Dict: (on, key) => on.dict(key).get('field'),
  Register: (on, key) => on.register(key).get(),
};
const CHANGES: Readonly<Record<string, (on: On, key: string, n: number) => Description<unknown>>> = {
  Counter: (on, key) => on.counter(key).add(1),
  Set: (on, key, n) => on.set(key).add(`member ${n}`),
  Dict: (on, key, n) => on.dict(key).set({ field: n }),
  Register: (on, key, n) => on.register(key).set(n),
};
const TYPES = Object.keys(READS);

class Absent implements Running {
  #records = NEW;
  /** the types of records whose making was told, by key */
  readonly #made = new Map<string, string>();
  readonly #wrong: string[] = [];

  async run(claret: Claret, chance: Chance): Promise<unknown> {
    if (chance.happens(NEXT_SHARE)) this.#records++;
    const keys = [this.#anyKey(chance), this.#anyKey(chance)];
    const type = chance.pick(TYPES);
    const known = keys.map((key) => [key, this.#made.get(key)] as const);
    if (chance.happens(0.85)) {
      const done = await perform(
        claret,
        chance,
        'Look',
        keys.map((key) => READS[type]!(claret.on, key)),
      );
      this.#judge(known, type);
      return done;
    }
    const [key] = keys as [string];
    const change = CHANGES[type]!(claret.on, key, chance.below(10));
    const done = await perform(claret, chance, 'Make', chance.happens(0.5) ? [change] : [READS[type]!(claret.on, key), change]);
    this.#judge(known.slice(0, 1), type);
    this.#made.set(key, type);
    return done;
  }

  #anyKey(chance: Chance): string {
    return `absent:${this.#records - 1 - chance.below(NEW)}`;
  }

  /** @param known before the transaction began */
  #judge(known: readonly (readonly [key: string, made: string | undefined])[], type: string): void {
    for (const [key, made] of known) {
      if (made !== undefined && made !== type) this.#wrong.push(`${key}, which is a ${made}, was used as a ${type}`);
    }
  }

  judge() {
    return this.#wrong.map((text) => ({ rule: 'types', text }));
  }
}

export const absent: Workload = {
  name: 'absent',
  warranted: true,
  clashes: true,
  conditions: { combining: 'off' },
  begin: () => new Absent(),
};
