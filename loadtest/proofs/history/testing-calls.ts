// Random operations of every data type, on few records, with few and with extreme arguments, for tests of models and check.

import type { Chance } from '../../kit/random.ts';

export interface RandomCall {
  key: string;
  /** "Set.add" */
  name: string;
  args: unknown[];
}

const TEXTS = ['a', 'b', 'c', 'd', 'é', '\uffff', '😀', ''];
const INTEGERS = [0, 1, -1, 2, -3, 5, 2 ** 53 - 1, 2n ** 62n, -(2n ** 62n), 2n ** 63n - 1n, -(2n ** 63n)];

interface Draw {
  text(): string;
  integer(): number | bigint;
  small(): number;
  scalar(): string | number | bigint | boolean;
  optionalText(): string | null;
}

/** `extreme`: includes integers at the limits of 64 bits, whose sums are refused. */
function drawing(random: Chance, extreme: boolean): Draw {
  const text = () => random.pick(TEXTS);
  const small = () => random.below(7) - 3;
  const integer = () => (extreme && random.below(4) === 0 ? random.pick(INTEGERS) : small());
  return {
    text,
    small,
    integer,
    scalar: () => random.pick([text(), integer(), small() + 0.5, random.below(2) === 0]),
    optionalText: () => random.pick([null, text()]),
  };
}

type Arguments = (draw: Draw, random: Chance) => unknown[];

const someOf = (draw: Draw, random: Chance) => Array.from({ length: random.below(3) }, () => draw.text());
const pageSize = (random: Chance) => 1 + random.below(4);

const NONE: Arguments = () => [];
const TEXT: Arguments = (draw) => [draw.text()];
const SCALARS: Arguments = (draw, random) => [Array.from({ length: random.below(4) }, () => draw.scalar())];
const TEXT_AND_INTEGER: Arguments = (draw) => [draw.text(), draw.integer()];

const ARGUMENTS: Record<string, Arguments> = {
  'Register.get': NONE,
  'Register.set': (draw) => [draw.scalar()],
  'Register.compareAndSet': (draw, random) => [random.pick([null, draw.scalar()]), draw.scalar()],
  'Register.exchange': (draw) => [draw.scalar()],
  'Register.incrementAndGet': (draw) => [draw.integer()],
  'Counter.add': (draw) => [draw.integer()],
  'Counter.value': NONE,
  'UIdGenerator.next': NONE,
  'Dict.set': (draw, random) => [Object.fromEntries(someOf(draw, random).map((field) => [field, draw.scalar()]))],
  'Dict.get': (draw, random) => [someOf(draw, random)],
  'Dict.put': (draw, random) => [Object.fromEntries(someOf(draw, random).map((field) => [field, draw.scalar()]))],
  'Dict.putIfAbsent': (draw) => [draw.text(), draw.scalar()],
  'Dict.erase': (draw, random) => [someOf(draw, random)],
  'Dict.incrementAndGet': TEXT_AND_INTEGER,
  'Dict.size': NONE,
  'Dict.increment': TEXT_AND_INTEGER,
  'Dict.remove': (draw, random) => [someOf(draw, random)],
  'Dict.all': NONE,
  'Set.add': TEXT,
  'Set.remove': TEXT,
  'Set.insert': (draw, random) => [someOf(draw, random)],
  'Set.erase': (draw, random) => [someOf(draw, random)],
  'Set.contains': TEXT,
  'Set.size': NONE,
  'Set.members': (draw, random) => [pageSize(random), draw.optionalText()],
  'ScoredSet.add': TEXT_AND_INTEGER,
  'ScoredSet.increment': TEXT_AND_INTEGER,
  'ScoredSet.remove': TEXT,
  'ScoredSet.score': TEXT,
  'ScoredSet.rank': TEXT,
  'ScoredSet.range': (draw) => [draw.integer(), draw.integer()],
  'ScoredSet.rangeByScore': (draw, random) => [draw.integer(), draw.integer(), pageSize(random), draw.optionalText()],
  'ScoredSet.size': NONE,
  'TopK.add': (draw, random) => [random.pick([draw.text(), `item ${random.below(300)}`]), draw.small() / 2 + random.below(3)],
  'TopK.max': NONE,
  'TopK.top': (_draw, random) => [random.pick([1, 2, 4, 200])],
  'TopK.size': NONE,
  'SummaryBag.add': (draw, random) => [random.below(8) === 0 ? random.pick([2 ** 53 - 1, -(2n ** 53n), 2n ** 52n]) : draw.small()],
  'SummaryBag.count': NONE,
  'SummaryBag.mean': NONE,
  'SummaryBag.min': NONE,
  'SummaryBag.max': NONE,
  'SummaryBag.variance': NONE,
  'BoundedCounter.increment': (draw, random) => [random.below(8) === 0 ? draw.integer() : random.below(4)],
  'BoundedCounter.decrement': (_draw, random) => [random.below(3)],
  'BoundedCounter.tryDecrement': (_draw, random) => [random.below(4)],
  'BoundedCounter.value': NONE,
  'BoundedCounter.atLeast': (_draw, random) => [random.below(6)],
  'HyperLogLog.add': (draw, random) => [random.pick([draw.text(), `text ${random.below(5000)}`])],
  'HyperLogLog.count': NONE,
  'List.append': SCALARS,
  'List.prepend': SCALARS,
  'List.pushBack': SCALARS,
  'List.pushFront': SCALARS,
  'List.pushBackIfPresent': SCALARS,
  'List.pushFrontIfPresent': SCALARS,
  'List.popFront': (_draw, random) => [pageSize(random)],
  'List.popBack': (_draw, random) => [pageSize(random)],
  'List.setAt': (draw) => [draw.integer(), draw.scalar()],
  'List.insert': (draw, random) => [draw.scalar(), draw.scalar(), random.below(2) === 0],
  'List.removeEqual': (draw) => [draw.small(), draw.scalar()],
  // Mostly long sections: others would leave hardly anything.
  'List.trim': (draw, random) => (random.below(4) === 0 ? [draw.integer(), draw.integer()] : [random.below(2), -1 - random.below(2)]),
  'List.range': (draw) => [draw.integer(), draw.integer()],
  'List.at': (draw) => [draw.integer()],
  'List.length': NONE,
  'List.positionOf': (draw, random) => [
    draw.scalar(),
    random.pick([null, 1, 2, -1, -2]),
    random.pick([null, 0, 1, 2]),
    random.pick([null, 0, 1, 3]),
  ],
};

export const drawnOperations: readonly string[] = Object.keys(ARGUMENTS);

/** A call of one of `names` on one of `keysOfType` records of its type. */
export function randomCall(random: Chance, names: readonly string[], keysOfType: number, extreme: boolean): RandomCall {
  const name = random.pick(names);
  const [type] = name.split('.') as [string];
  return { key: `${type}:${random.below(keysOfType)}`, name, args: ARGUMENTS[name]!(drawing(random, extreme), random) };
}
