// Random histories of data types of an application's own on a real cluster: the examples, and one that has a field of each type and uses each operator.

import type { Claret, Description, HistoryAttempt, Kind } from '@claret/client';
import { inProcessCluster } from '@claret/client/testing';
import {
  boolean,
  boundedCounter,
  choose,
  concat,
  counter,
  defineType,
  dict,
  each,
  entries,
  greatest,
  hyperLogLog,
  integer,
  isAbsent,
  item,
  least,
  list,
  number,
  optional,
  power,
  ranked,
  register,
  scalar,
  scalars,
  scoredSet,
  set,
  summaryBag,
  text,
  texts,
  topK,
  type DefinedType,
} from '@claret/client/types';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { Leaderboard } from '../../../client/src/types/examples/leaderboard.ts';
import { RateLimiter } from '../../../client/src/types/examples/rate-limiter.ts';
import { SeatMap } from '../../../client/src/types/examples/seat-map.ts';
import type { Chance } from '../../kit/random.ts';

const key = text();
const n = integer();

export const Kitchen = defineType({
  name: 'Kitchen',
  version: 1,
  meaning: 'A field of each type, and each operator.',
  state: {
    last: register,
    sum: counter,
    fields: dict,
    names: set,
    scores: each(scoredSet),
    best: topK,
    bag: summaryBag,
    stock: each(boundedCounter),
    seen: hyperLogLog,
    lines: each(list),
  },
  operations: {
    note: {
      meaning: '',
      parameters: { key, value: scalar() },
      write: ({ last, fields, names, seen, lines }, { key: field, value }) => [
        last.set(value),
        fields.set([[field, value]]),
        names.add(field),
        seen.add(field),
        lines.of(field).append([value, field]),
      ],
    },
    fill: {
      meaning: '',
      parameters: { of: entries(), more: texts() },
      result: integer(),
      require: ({ fields }) => [fields.size().lessThan(12).orRefuse('full', '')],
      answer: ({ names }, { of, more }) => of.length().plus(more.length()).plus(names.size()),
      write: ({ fields, names }, { of, more }, size) => [
        fields.set(of),
        fields.remove(more),
        names.remove(concat('n', size)).when(size.greaterThan(4)),
      ],
    },
    weigh: {
      meaning: '',
      parameters: { key, n, at: number() },
      require: (_, args) => [
        args.n
          .isNot(2)
          .and(args.at.atMost(3).or(args.n.is(1)))
          .orRefuse('light', ''),
      ],
      write: ({ sum, best, bag, scores, stock }, args) => [
        sum.add(args.n.times(2).minus(1)),
        best.add(args.key, args.at.times(1.5)),
        bag.add(args.n),
        scores.of(args.key).increment(concat(args.key, args.n), args.at.floor()),
        stock.of(args.key).increment(greatest(args.n, 0)),
        stock
          .of(args.key)
          .decrement(least(args.n.modulo(3), 1))
          .when(args.n.greaterThan(0)),
      ],
    },
    take: {
      meaning: '',
      parameters: { key, n },
      result: boolean(),
      answer: ({ stock }, args) => stock.of(args.key).atLeast(args.n),
      write: ({ stock }, args, had) => [stock.of(args.key).decrement(args.n).when(had)],
    },
    sell: { meaning: '', parameters: { key, n }, write: ({ stock }, args) => [stock.of(args.key).decrement(args.n)] },
    mean: {
      meaning: '',
      parameters: { n, power: number() },
      result: number(),
      answer: ({ bag, sum }, args) =>
        bag
          .mean()
          .orElse(0.5)
          .asNumber()
          .plus(power(args.power, sum.value().dividedBy(args.n).toNumber())),
    },
    look: {
      meaning: '',
      parameters: { key, other: optional() },
      result: optional(),
      require: (_, args) => [args.key.atLeast('').and(isAbsent(args.other).not()).orRefuse('nothing', '')],
      answer: ({ last, fields, lines }, args) =>
        choose(
          args.key.lessThan('b'),
          item(fields.get([args.key]), 0),
          choose(args.key.length().is(1), last.get(), lines.of(args.key).at(-1)),
        ),
    },
    lines: { meaning: '', parameters: { key }, result: scalars(), answer: ({ lines }, args) => lines.of(args.key).range(0, -1) },
    all: { meaning: '', result: entries(), answer: ({ fields }) => fields.all() },
    best: { meaning: '', parameters: { n }, result: ranked(), answer: ({ best }, args) => best.top(args.n) },
    figures: {
      meaning: '',
      parameters: { key },
      result: text(),
      answer: ({ stock, scores, seen, sum }, args) =>
        concat(stock.of(args.key).value(), ' ', scores.of(args.key).size(), ' ', seen.count(), ' ', sum.value()),
    },
  },
});

export const OWN_TYPES: readonly DefinedType[] = [SeatMap, RateLimiter, Leaderboard, Kitchen];

const TEXTS = ['a', 'b', 'c', 'é', ''];

function drawn(kind: Kind, random: Chance): unknown {
  const word = () => random.pick(TEXTS);
  switch (kind) {
    case 'text':
      return word();
    case 'integer':
      return random.below(8) === 0 ? random.pick([2n ** 62n, -(2n ** 62n), 1_000]) : random.below(6) - 1;
    case 'number':
      return (random.below(13) - 3) / 2;
    case 'boolean':
      return random.below(2) === 0;
    case 'scalar':
      return random.pick([word(), random.below(5), random.below(5) + 0.5, true]);
    case 'optional':
      return random.pick([null, word()]);
    case 'texts':
      return Array.from({ length: random.below(3) }, word);
    case 'entries':
      return Object.fromEntries(Array.from({ length: random.below(3) }, () => [word(), random.below(9)]));
    default:
      throw new Error(`no argument is of kind ${kind}`);
  }
}

type Handle = Record<string, (...args: unknown[]) => Description<unknown>>;

function drawnCall(claret: Claret, random: Chance, types: readonly DefinedType[]): Description<unknown> {
  const type = random.pick(types);
  const [name, { parameters }] = random.pick([...type.specs]);
  const handle = claret.on.of(type, `${type.name}:${random.below(2)}`) as Handle;
  return handle[name]!(...parameters.map((kind) => drawn(kind, random)));
}

async function runOne(claret: Claret, random: Chance, types: readonly DefinedType[]): Promise<void> {
  const calls = Array.from({ length: 1 + random.below(3) }, () => drawnCall(claret, random, types));
  const way = random.below(3);
  if (way === 0) return void (await claret.transact('All', calls).catch(() => {}));
  if (way === 1) return void (await claret.native.perform(calls[0]!).catch(() => {}));
  const awaited = calls.map(() => random.below(3) > 0);
  const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
    for (const [i, call] of calls.entries()) {
      const operation = tx.perform(call);
      if (awaited[i]) await operation;
    }
  };
  await claret.transaction('Any', body, { timeoutMs: 2_000 }).catch(() => {});
}

export async function ownTypesHistory(seed: number, random: Chance, types = OWN_TYPES): Promise<HistoryAttempt[]> {
  const environment = new SeededEnvironment(seed);
  const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
  for (const shard of cluster.shards) {
    types.forEach(({ definition }, i) => {
      const problem = shard.changeType({ id: 128 + i, retired: false, definition }, environment.wallMs(), environment.monotonicMs());
      if (problem !== undefined) throw new Error(problem);
    });
  }
  const history: HistoryAttempt[] = [];
  const listen = (attempt: HistoryAttempt) => void history.push(attempt);
  const clients = await environment.runUntil(Promise.all(['one', 'two'].map((name) => cluster.connect({ name, history: listen }))));
  const worker = async (claret: Claret) => {
    for (let i = 0; i < 25; i++) await runOne(claret, random, types);
  };
  await environment.runUntil(Promise.all(Array.from({ length: 12 }, (_, i) => worker(clients[i % 2]!))));
  await environment.runUntil(cluster.stop());
  return history;
}
