// Lists, records and value fields: what they write into a definition, and what is refused.

import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Definition } from './definition.ts';
import {
  choose,
  defineType,
  DefinitionError,
  dict,
  each,
  integer,
  number,
  pairOf,
  range,
  scored,
  shape,
  text,
  texts,
  using,
  value,
  type IntegerValue,
  type ListValue,
  type TextValue,
} from './index.ts';

const Job = shape.record({ name: shape.text, cost: shape.integer, note: shape.maybe(shape.text) });
const STATE = { jobs: value(shape.list(Job), [{ name: 'first', cost: 1, note: null }]), of: each(value(shape.integer, 7)), names: dict };

type Functions = Record<string, unknown>;
const define = (operation: Functions, state: object = STATE): Definition =>
  JSON.parse(
    defineType({ name: 'Probe', version: 1, meaning: '', state, operations: { act: { meaning: '', ...operation } } } as never).definition,
  ) as Definition;
const answerOf = (answer: (fields: any, args: any) => unknown, result: unknown = integer(), parameters: object = { n: integer() }) =>
  define({ parameters, result, answer }).operations[0]!.answer;
const updateOf = (write: (fields: any, args: any) => unknown) => define({ parameters: { n: integer() }, write }).operations[0]!.writes;
const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  return 'none';
};

const JOBS = ['read', 0, null, 'get'];

describe('functions of lists', () => {
  it('become expressions with locals', () => {
    expect(
      answerOf(({ jobs }) =>
        jobs
          .get()
          .map((job: any) => job.cost.times(2))
          .length(),
      ),
    ).toEqual(['length', ['map', 0, JOBS, ['*', ['item', ['local', 0], 1], 2]]]);
    expect(
      answerOf(({ jobs }, { n }) =>
        jobs
          .get()
          .filter((job: any) => job.cost.atMost(n))
          .length(),
      ),
    ).toEqual(['length', ['filter', 0, JOBS, ['<=', ['item', ['local', 0], 1], ['argument', 0]]]]);
    expect(answerOf(({ jobs }) => jobs.get().fold(0, (sum: any, job: any) => sum.plus(job.cost)))).toEqual([
      'fold',
      0,
      1,
      JOBS,
      0,
      ['+', ['local', 0], ['item', ['local', 1], 1]],
    ]);
    expect(
      answerOf((_, { n }) =>
        range(n)
          .map((i) => range(i).sum((j) => j.times(i)))
          .sum((each) => each),
      ),
    ).toEqual([
      'fold',
      0,
      1,
      [
        'map',
        0,
        [
          'map',
          0,
          ['range', ['argument', 0]],
          ['fold', 1, 2, ['map', 1, ['range', ['local', 0]], ['*', ['local', 1], ['local', 0]]], 0, ['+', ['local', 1], ['local', 2]]],
        ],
        ['local', 0],
      ],
      0,
      ['+', ['local', 0], ['local', 1]],
    ]);
    expect(answerOf((_, { n }) => using(n.plus(1), (m: IntegerValue) => m.times(m)))).toEqual([
      'let',
      0,
      ['+', ['argument', 0], 1],
      ['*', ['local', 0], ['local', 0]],
    ]);
  });

  it('go over what built-in fields answer', () => {
    const answer = answerOf(({ names }) => names.all().map((pair: any) => pair.first()), texts());
    expect(answer).toEqual(['map', 0, ['read', 2, null, 'all'], ['item', ['local', 0], 0]]);
  });

  it('make pairs for results', () => {
    const answer = answerOf(({ jobs }) => jobs.get().map((job: any) => pairOf(job.name, job.cost)), scored());
    expect(answer).toEqual(['map', 0, JOBS, ['list', ['item', ['local', 0], 0], ['item', ['local', 0], 1]]]);
  });

  it('find, sort, cut, join and replace', () => {
    const cheapest = answerOf(
      ({ jobs }) =>
        jobs
          .get()
          .find((job: any) => job.note.isAbsent())
          .present().cost,
    );
    expect(cheapest).toEqual(['item', ['find', 0, JOBS, ['absent', ['item', ['local', 0], 2]]], 1]);
    const names = answerOf(
      ({ jobs }) =>
        jobs
          .get()
          .sortBy((job: any) => job.name)
          .slice(0, 3)
          .reverse()
          .map((job: any) => job.name),
      texts(),
    );
    expect(names).toEqual([
      'map',
      0,
      ['reverse', ['slice', ['sort', 0, JOBS, ['item', ['local', 0], 0]], 0, 3]],
      ['item', ['local', 0], 0],
    ]);
  });
});

describe('a value field', () => {
  it('has a shape and an initial value', () => {
    expect(define({ result: integer(), answer: ({ of }: any) => of.of('a').get() }).fields.slice(0, 2)).toEqual([
      {
        name: 'jobs',
        type: 'Value',
        each: false,
        shape: ['list', ['record', ['name', 'text'], ['cost', 'integer'], ['note', ['maybe', 'text']]]],
        initial: ['list', ['list', 'first', 1, null]],
      },
      { name: 'of', type: 'Value', each: true, shape: 'integer', initial: 7 },
    ]);
  });

  it('is updated from its old value, and set', () => {
    const job = { name: 'x', cost: 2, note: null };
    const written = updateOf(({ jobs, of }, { n }) => [
      jobs.update((old: any) => old.append({ ...job, cost: n })),
      jobs.update((old: any) => old.replace(0, old.item(0).present().with({ cost: n, note: 'y' }))).when(n.atLeast(1)),
      of.of('a').set(n),
    ]);
    expect(written.map(({ arguments: [to], key, when }) => [to, key, when])).toEqual([
      [['join', ['old'], ['list', ['list', 'x', ['argument', 0], null]]], null, null],
      [
        ['replace', ['old'], 0, ['replace', ['replace', ['item', ['old'], 0], 1, ['argument', 0]], 2, 'y']],
        null,
        ['<=', 1, ['argument', 0]],
      ],
      [['argument', 0], 'a', null],
    ]);
  });

  it('is neither read in write nor changed elsewhere', () => {
    expect(problemOf(() => updateOf(({ jobs }) => [jobs.set(jobs.get())]))).toMatch(/write reads no field/);
    expect(problemOf(() => answerOf(({ jobs }) => jobs.update((old: any) => old)))).toMatch(/in write only/);
  });

  it('takes values of its shape alone', () => {
    const append = (job: object) => problemOf(() => updateOf(({ jobs }) => [jobs.update((old: any) => old.append(job))]));
    expect(append({ name: 'x', cost: 2, note: null })).toBe('none');
    expect(append({ name: 'x', cost: 2 })).toMatch(/note/);
    expect(append({ name: 'x', cost: 1.5, note: null })).toMatch(/cost.*integer/);
    expect(append({ name: 'x', cost: 2, note: null, more: 1 })).toMatch(/more/);
    expect(append(['x', 2, null])).toMatch(/record of name, cost, note/);
  });

  it('has an initial value that is a constant', () => {
    expect(problemOf(() => value(shape.integer, shape.integer.of(1).plus(1)))).toMatch(/constant/);
    expect(problemOf(() => value(shape.integer, 1.5))).toMatch(/integer/);
  });
});

describe('a shape', () => {
  it('has members with usable names, and a bounded depth', () => {
    expect(problemOf(() => shape.record({}))).toMatch(/has members/);
    expect(problemOf(() => shape.record({ with: shape.text }))).toMatch(/with/);
    expect(problemOf(() => shape.record({ valueOf: shape.text }))).toMatch(/valueOf/);
    expect(problemOf(() => shape.list(shape.maybe(shape.text)))).toMatch(/maybe/);
    expect(problemOf(() => shape.list('text' as never))).toMatch(/shape/);
    let deep: any = shape.text;
    for (let i = 0; i < 8; i++) deep = shape.list(deep);
    expect(problemOf(() => shape.list(deep))).toMatch(/nested/);
  });

  it('gives its values their types', () => {
    const use = () => {
      const job = Job.of({ name: 'x', cost: 1, note: null });
      expectTypeOf(job.name).toEqualTypeOf<TextValue>();
      expectTypeOf(job.with({ cost: 3 }).cost).toEqualTypeOf<IntegerValue>();
      expectTypeOf(shape.list(shape.integer).of([1, 2])).toEqualTypeOf<ListValue<IntegerValue>>();
      // @ts-expect-error: a member is missing
      Job.of({ name: 'x', cost: 1 });
      // @ts-expect-error: of another kind
      Job.of({ name: 'x', cost: 'much', note: null });
    };
    expect(use).toThrow(DefinitionError);
  });
});

describe('an item', () => {
  it('means nothing outside of its function', () => {
    let kept: any;
    const escape = () =>
      answerOf(({ jobs }) => {
        jobs.get().map((job: any) => (kept = job.cost));
        return kept;
      });
    expect(problemOf(escape)).toMatch(/outside of the function/);
    const inOther = () =>
      answerOf(({ jobs }) => {
        jobs.get().map((job: any) => (kept = job.cost));
        return jobs
          .get()
          .filter((job: any) => job.cost.is(kept))
          .length();
      });
    expect(problemOf(inOther), 'where its number means another item').toMatch(/outside of the function/);
  });

  it('cannot be asked for without a function of a type', () => {
    expect(
      problemOf(() =>
        shape
          .list(shape.integer)
          .of([1])
          .map((n) => n),
      ),
    ).toMatch(/functions of a type/);
  });

  it('is computed by branches that are chosen', () => {
    const answer = answerOf(({ jobs }, { n }) => jobs.get().sum((job: any) => choose(job.cost.greaterThan(n), job.cost, 0)));
    expect(answer).toEqual([
      'fold',
      0,
      1,
      ['map', 0, JOBS, ['if', ['<', ['argument', 0], ['item', ['local', 0], 1]], ['item', ['local', 0], 1], 0]],
      0,
      ['+', ['local', 0], ['local', 1]],
    ]);
  });

  it('of numbers is summed as a number', () => {
    const Rates = { rates: value(shape.list(shape.number), []) };
    const { operations } = define({ result: number(), answer: ({ rates }: any) => rates.get().sum((rate: any) => rate) }, Rates);
    expect(operations[0]!.answer).toEqual([
      'fold',
      0,
      1,
      ['map', 0, ['read', 0, null, 'get'], ['local', 0]],
      ['number', 0],
      ['+', ['local', 0], ['local', 1]],
    ]);
  });

  it('of texts is put together', () => {
    const answer = answerOf(({ names }) => names.all().fold('', (all: any, pair: any) => choose(all.is(''), pair.first(), all)), text());
    expect(answer).toEqual([
      'fold',
      0,
      1,
      ['read', 2, null, 'all'],
      '',
      ['if', ['=', ['local', 0], ''], ['item', ['local', 1], 0], ['local', 0]],
    ]);
  });
});
