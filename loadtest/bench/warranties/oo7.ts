// OO7 as the paper runs it (Liu et al., section 7.2; Carey et al., "The 007 Benchmark"): a transaction traverses modules ten times. 93.9 % of the
// traversals read the module that all share, on a shard of its own, 5.9 % the app server's private one; 0.1 % change each of them.
//
// A module is a tree of assemblies, whose base assemblies consist of composite parts, which are drawn by a power law of exponent .7. A
// traversal goes down to a composite part and reads its atomic parts; one that changes it moves them. All reads of one level are sent together.

import type { Claret, Tx } from '@claret/client';
import { keyOn } from '../../../client/src/testing/keys.ts';
import { readAll } from '../../kit/checking.ts';
import { pick, randomApart } from '../../kit/random.ts';
import { writeAll } from '../../workloads/writing.ts';
import { Zipf } from '../../workloads/zipf.ts';
import type { DriverTotals } from './question.ts';
import type { Workload } from './workload.ts';

const TRAVERSALS = 10;
const COMPOSITES = 500;
const ATOMIC_PARTS = 20;
const LEVELS = 6;
const CHILDREN = 3;
const ALPHA = 0.7;
/** shares of traversals */
const SHARED = 0.94;
const CHANGES = 0.002;

export const SHARED_SHARD = 0;
const PRIVATE_SHARD = 1;

export class Oo7 implements Workload {
  readonly #claret: Claret;
  readonly #driver: number;
  readonly #random: () => number;
  readonly #popularity = new Zipf(COMPOSITES, ALPHA);
  readonly #shared: Module;
  readonly #own: Module;
  readonly #moved = new Map<string, number>();

  constructor(claret: Claret, { seed, driver }: { seed: number; driver: number }) {
    this.#claret = claret;
    this.#driver = driver;
    this.#random = randomApart(seed, driver);
    this.#shared = new Module('shared', SHARED_SHARD);
    this.#own = new Module(`own${driver}`, PRIVATE_SHARD);
  }

  async load(): Promise<void> {
    if (this.#driver === 0) await this.#shared.load(this.#claret);
    await this.#own.load(this.#claret);
  }

  async run(): Promise<boolean> {
    const traversals = Array.from({ length: TRAVERSALS }, () => ({
      module: this.#random() < SHARED ? this.#shared : this.#own,
      composite: this.#popularity.draw(this.#random()),
      path: Array.from({ length: LEVELS }, () => this.#random()),
      changes: this.#random() < CHANGES,
    }));
    await this.#claret.transaction('Traverse', async (tx) => {
      for (const { module, composite, path, changes } of traversals) await module.traverse(tx, composite, path, changes);
    });
    const changing = traversals.filter(({ changes }) => changes);
    for (const { module, composite } of changing) {
      for (const key of module.atomicParts(composite)) this.#moved.set(key, (this.#moved.get(key) ?? 0) + 1);
    }
    return changing.length > 0;
  }

  get totals(): DriverTotals {
    return Object.fromEntries(this.#moved);
  }

  async mismatches(totals: DriverTotals): Promise<string[]> {
    const keys = Object.keys(totals);
    const places = await readAll(
      this.#claret,
      keys.map((key) => this.#claret.on.register(key).get()),
    );
    return keys.flatMap((key, i) =>
      places[i] === totals[key] ? [] : [`${key} was moved ${String(places[i])} times, but ${totals[key]} were acknowledged`],
    );
  }
}

class Module {
  readonly #assemblies: readonly string[][];
  readonly #composites: readonly string[];
  readonly #atomic: readonly string[][];

  constructor(name: string, shard: number) {
    const key = (part: string): string => keyOn(shard, `oo7:${name}:${part}`);
    this.#assemblies = Array.from({ length: LEVELS }, (_, level) =>
      Array.from({ length: CHILDREN ** level }, (__, at) => key(`assembly:${level}:${at}`)),
    );
    this.#composites = Array.from({ length: COMPOSITES }, (_, at) => key(`composite:${at}`));
    this.#atomic = this.#composites.map((_, at) => Array.from({ length: ATOMIC_PARTS }, (__, part) => key(`atomic:${at}:${part}`)));
  }

  atomicParts(composite: number): readonly string[] {
    return this.#atomic[composite]!;
  }

  async load(claret: Claret): Promise<void> {
    const { on } = claret;
    const assemblies = this.#assemblies.flatMap((keys, level) =>
      keys.map((key, at) => {
        const below = Array.from({ length: CHILDREN }, (_, child) => this.#assemblies[level + 1]?.[CHILDREN * at + child] ?? '');
        return on.register(key).set(below.join(' '));
      }),
    );
    const composites = this.#composites.map((key, at) => on.register(key).set(this.atomicParts(at).join(' ')));
    const atomic = this.#atomic.flat().map((key) => on.register(key).set(0));
    await writeAll(claret, [...assemblies, ...composites, ...atomic]);
  }

  /** Down a path of assemblies, each of which names the next ones, to the parts of a composite. */
  async traverse(tx: Tx, composite: number, path: readonly number[], changes: boolean): Promise<void> {
    let key = this.#assemblies[0]![0]!;
    for (const chance of path) {
      const below = String(await tx.register(key).get()).trim();
      if (below === '') break;
      key = pick(() => chance, below.split(' '));
    }
    const parts = String(await tx.register(this.#composites[composite]!).get()).split(' ');
    const places = await Promise.all(parts.map((part) => tx.register(part).get()));
    if (changes) for (const [i, part] of parts.entries()) tx.register(part).set(Number(places[i]) + 1);
  }
}
