// The static types of definitions and handles. The type checker runs this test; at run time it only shows that nothing throws.

import { expect, expectTypeOf, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { Reader } from '../computations/reader.ts';
import { descriptions } from '../descriptions.ts';
import type { Description } from '../operation/description.ts';
import type { Operation } from '../operation/operation.ts';
import type { Tx } from '../transaction/tx.ts';
import type { Integer, Scalar } from '../values/values.ts';
import { RateLimiter } from './examples/rate-limiter.ts';
import { SeatMap } from './examples/seat-map.ts';
import {
  boolean,
  boundedCounter,
  counter,
  defineType,
  dict,
  each,
  entries,
  integer,
  number,
  scalars,
  text,
  texts,
  type BooleanValue,
  type DefinedType,
  type IntegerValue,
  type ListValue,
  type NumberValue,
  type OptionalValue,
  type ScalarValue,
  type TextValue,
} from './index.ts';

const Probe = defineType({
  name: 'Probe',
  version: 1,
  meaning: '',
  state: { count: counter, free: each(boundedCounter), names: dict },
  operations: {
    none: { meaning: '', write: ({ count }) => [count.add(1)] },
    many: {
      meaning: '',
      parameters: { who: text(), n: integer(), all: texts(), share: number() },
      result: scalars(),
      require({ count, free, names }, { who, n, all, share }) {
        expectTypeOf(who).toEqualTypeOf<TextValue>();
        expectTypeOf(n).toEqualTypeOf<IntegerValue>();
        expectTypeOf(all).toEqualTypeOf<ListValue<TextValue>>();
        expectTypeOf(share).toEqualTypeOf<NumberValue>();
        expectTypeOf(count.value()).toEqualTypeOf<IntegerValue>();
        expectTypeOf(free.of(who).atLeast(n)).toEqualTypeOf<BooleanValue>();
        expectTypeOf(names.get(all).item(0)).toEqualTypeOf<OptionalValue<ScalarValue>>();
        expectTypeOf(n.plus(1)).toEqualTypeOf<IntegerValue>();
        expectTypeOf(n.plus(share)).toEqualTypeOf<NumberValue>();
        expectTypeOf(share.floor()).toEqualTypeOf<IntegerValue>();
        return [];
      },
      answer: ({ names }, { all }) => names.get(all),
      write({ count, free }, { who, n }, answer) {
        expectTypeOf(answer).toEqualTypeOf<ListValue<OptionalValue<ScalarValue>>>();
        return [count.add(n), free.of(who).increment(n).when(answer.item(0).isAbsent())];
      },
    },
    put: {
      meaning: '',
      parameters: { all: entries() },
      result: boolean(),
      answer: () => true,
      write: ({ names }, { all }) => [names.set(all)],
    },
  },
  commutes: [
    {
      first: 'many',
      second: 'none',
      when(first, second) {
        expectTypeOf(first.arguments.n).toEqualTypeOf<IntegerValue>();
        expectTypeOf(first.answer).toEqualTypeOf<ListValue<OptionalValue<ScalarValue>>>();
        expectTypeOf(second.answer).toEqualTypeOf<undefined>();
        return first.arguments.n.is(1);
      },
    },
  ],
});

it('handles have the arguments and results of the operations', () => {
  expectTypeOf((tx: Tx) => tx.of(SeatMap, 'hall').reserve).returns.toEqualTypeOf<(...args: [string, string, string]) => Operation<void>>();
  expectTypeOf((tx: Tx) => tx.of(SeatMap, 'hall').guest('A12')).returns.toEqualTypeOf<Operation<Scalar | null>>();
  expectTypeOf((claret: Claret) => claret.native.of(RateLimiter, 'api').allow('ann', 3, 100)).returns.toEqualTypeOf<Promise<boolean>>();
  expectTypeOf((claret: Claret) => claret.asOf(0n).of(SeatMap, 'hall').left('A')).returns.toEqualTypeOf<Promise<Integer>>();
  expectTypeOf(descriptions.of(Probe, 'p').many).returns.toEqualTypeOf<Description<(Scalar | null)[]>>();
  expectTypeOf(descriptions.of(Probe, 'p').many).parameter(0).toEqualTypeOf<string | number | bigint | readonly string[]>();
  expectTypeOf(descriptions.of(Probe, 'p').put).parameters.toEqualTypeOf<[Readonly<Record<string, Scalar>>]>();
  expectTypeOf(descriptions.of(Probe, 'p').none).parameters.toEqualTypeOf<[]>();
  expectTypeOf(Probe).toExtend<DefinedType>();
  // What only changes cannot be read.
  expectTypeOf((read: Reader) => read.of(SeatMap, 'hall').left('A')).returns.toEqualTypeOf<Operation<Integer>>();
  expectTypeOf<ReturnType<typeof readsOf>>().not.toHaveProperty('reserve');
  expect(descriptions.of(Probe, 'p').none().spec.name).toBe('Probe.none');
});

const readsOf = (read: Reader) => read.of(SeatMap, 'hall');

const HEAD = { name: 'Wrong', version: 1, meaning: '', state: { count: counter, names: dict } } as const;

it('mistakes are seen before anything runs', () => {
  const wrong = () => [
    // @ts-expect-error nothing is read in write
    defineType({ ...HEAD, operations: { act: { meaning: '', write: ({ count }) => [count.add(count.value())] } } }),
    // @ts-expect-error nothing is changed in answer
    defineType({ ...HEAD, operations: { act: { meaning: '', result: integer(), answer: ({ count }) => count.add(1) } } }),
    // @ts-expect-error the answer is no integer
    defineType({ ...HEAD, operations: { act: { meaning: '', result: integer(), answer: () => 'one' } } }),
    // @ts-expect-error a counter takes an integer
    defineType({ ...HEAD, operations: { act: { meaning: '', parameters: { t: text() }, write: ({ count }, { t }) => [count.add(t)] } } }),
    // @ts-expect-error there is no such parameter
    defineType({ ...HEAD, operations: { act: { meaning: '', parameters: { t: text() }, write: (_, { u }) => [u] } } }),
    // @ts-expect-error there is no such operation
    descriptions.of(SeatMap, 'hall').fly(),
    // @ts-expect-error an argument is missing
    descriptions.of(SeatMap, 'hall').reserve('A', 'A12'),
    // @ts-expect-error no parameter is a number
    descriptions.of(SeatMap, 'hall').reserve('A', 'A12', 3),
  ];
  expect(wrong).toThrow();
});
