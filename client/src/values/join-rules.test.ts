// Join rules against the core: for random records and calls, a result that follows equals the shard's answer.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { operationSpecs } from '../generated/handles.ts';
import { Description } from '../operation/description.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { freshSeed, randomFrom, type Random } from '../testing/random.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import type { Kind, WireValue } from '../values/values.ts';
import { copyOf, isCovered, mayFollow, resultFrom } from './join-rules.ts';

const specs = [...operationSpecs.values()];
const specOf = (code: number): OperationSpec => specs.find((spec) => spec.code === code)!;
const rules = specs.flatMap((spec) =>
  spec.joins.map((rule) => ({ name: `${spec.name} from ${specOf(rule.holder).name}`, rule, holder: specOf(rule.holder), joiner: spec })),
);

const ROUNDS = 150;
/** Rules that seldom apply get more rounds, until they have been tried. */
const FOLLOWED_LEAST = 6;
const ROUNDS_MAX = 5_000;

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function randomArgument(random: Random, kind: Kind): unknown {
  const integer = random.below(14) - 3;
  switch (kind) {
    case 'integer':
      return random.below(3) === 0 ? BigInt(integer) : integer;
    case 'number':
      return integer / 2;
    case 'text':
      return random.pick(letters);
    case 'texts':
      return Array.from({ length: 1 + random.below(4) }, () => random.pick(letters));
    case 'boolean':
      return random.below(2) === 0;
    case 'scalars':
      return Array.from({ length: 1 + random.below(4) }, () => random.pick<unknown>([integer, random.pick(letters), true]));
    case 'entries':
      return { [random.pick(letters)]: integer };
    case 'optional':
      return random.below(2) === 0 ? null : random.pick(letters);
    default:
      return random.pick<unknown>([integer, random.pick(letters), true]);
  }
}

const randomArgs = (random: Random, spec: OperationSpec) => spec.parameters.map((kind) => randomArgument(random, kind));

/** The arguments with small changes to one or a few of them, so that the calls are similar. */
function near(random: Random, spec: OperationSpec, args: unknown[]): unknown[] {
  if (random.below(3) === 0) return randomArgs(random, spec);
  return args.map((arg, i) => {
    if (random.below(3) === 0) return randomArgument(random, spec.parameters[i]!);
    if (typeof arg === 'number' && Number.isInteger(arg)) return arg + random.below(3) - 1;
    return arg;
  });
}

/** Runs random void operations of the type. */
async function change(claret: Claret, random: Random, type: string): Promise<void> {
  const changes = specs.filter((spec) => spec.name.startsWith(`${type}.`) && spec.operationClass !== 'observe');
  for (let i = random.below(4); i > 0; i--) {
    const spec = random.pick(changes);
    await claret.transact('Change', [new Description(spec, type, randomArgs(random, spec))]).catch(() => {});
  }
}

let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect({ combining: 'off' });
});
afterAll(() => cluster.stop());

describe('join rules', () => {
  it.each(rules)('$name: gives the result that the shard answers, or none', async ({ holder, joiner, rule }) => {
    const seed = freshSeed();
    const random = randomFrom(seed);
    const type = holder.name.split('.')[0]!;
    let followed = 0;
    for (let round = 0; round < ROUNDS || (followed < FOLLOWED_LEAST && round < ROUNDS_MAX); round++) {
      await change(claret, random, type);
      const args = randomArgs(random, holder);
      const held = new Description(holder, type, args);
      const call = new Description(joiner, type, holder === joiner ? near(random, joiner, args) : randomArgs(random, joiner));
      if (joiner.result === 'void') {
        expect(resultFrom(held, null, call) !== undefined).toBe(mayFollow(held, call));
        if (mayFollow(held, call)) followed++;
        continue;
      }
      const ask = (one: Description<unknown>) =>
        claret.transact('Read', [one]).then(
          ([given]) => given,
          () => 'refused',
        );
      const [result, answer] = await Promise.all([ask(held), ask(call)]);
      if (result === 'refused') continue;
      // `entries` are an object here, but pairs on the wire.
      const wire = holder.result === 'entries' ? Object.entries(result as object) : result;
      const given = resultFrom(held, wire as WireValue, call);
      if (given === undefined) continue;
      followed++;
      expect(mayFollow(held, call), 'a result follows only if it may').toBe(true);
      expect(resultOf(joiner.result, given), `seed ${seed}: ${holder.name}(${held.args}) ${joiner.name}(${call.args})`).toEqual(answer);
    }
    expect(followed, `${rule.how}: seed ${seed}`).toBeGreaterThanOrEqual(FOLLOWED_LEAST);
  });

  it('assume more items after a full page and none after a shorter page', () => {
    const range = operationSpecs.get('ScoredSet.range')!;
    const items = Array.from({ length: 1000 }, (_, i): WireValue => [`m${i}`, i]);
    const ask = (result: WireValue[], start: number | bigint, stop: number | bigint) =>
      (resultFrom(new Description(range, 'k', [0, 5000]), result, new Description(range, 'k', [start, stop])) as WireValue[] | undefined)
        ?.length;
    expect(ask(items, 900, 999)).toBe(100);
    expect(ask(items, 900n, 1000n)).toBeUndefined();
    expect(ask(items.slice(0, 950), 900, 1000)).toBe(50);
    expect(ask(items.slice(0, 950), 2000, 3000)).toBe(0);
    expect(ask(items, 0, 4000)).toBe(1000);
  });

  it('treat a safe integer as equal in both forms, and nothing else as equal', () => {
    const set = operationSpecs.get('Register.set')!;
    const same = (first: unknown, second: unknown) => mayFollow(new Description(set, 'k', [first]), new Description(set, 'k', [second]));
    expect(same(1, 1n)).toBe(true);
    expect(same(2 ** 60, 2n ** 60n), 'one is a number, the other an integer').toBe(false);
    expect(same(1, true)).toBe(false);
    expect(same('1', 1)).toBe(false);
    expect(same(0, -0)).toBe(false);
  });

  it('cover void operations of one mode and type only', () => {
    const call = (name: string, args: unknown[]) => new Description(operationSpecs.get(name)!, 'k', args);
    expect(isCovered(call('Set.add', ['a']), call('Set.add', ['b']))).toBe(true);
    expect(isCovered(call('Set.remove', ['a']), call('Set.add', ['b']))).toBe(false);
    expect(isCovered(call('TopK.add', ['a', 1]), call('Set.add', ['b']))).toBe(false);
    expect(isCovered(call('Counter.add', [1]), call('Counter.add', [2])), 'only the shard can reserve an amount').toBe(false);
  });

  it('return copies of lists', () => {
    const list: WireValue = [['x', 1]];
    const copy = copyOf(list) as [string, number][];
    copy[0]![0] = 'mine';
    expect(list).toEqual([['x', 1]]);
  });
});
