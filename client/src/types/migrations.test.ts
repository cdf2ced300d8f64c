// Migrations: what they write into a definition, and what is refused.

import { expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { boundedCounter, counter, defineType, DefinitionError, each, forEach, integer, shape, text, value } from './index.ts';

const poll = (version: number, migrations: Record<string, unknown>): Definition =>
  JSON.parse(
    defineType({
      name: 'Poll',
      version,
      meaning: '',
      state: { votes: each(counter), sum: boundedCounter, names: value(shape.list(shape.text), []) },
      operations: {
        vote: {
          meaning: '',
          parameters: { who: text(), n: integer() },
          write: ({ votes, sum }: any, { who, n }: any) => [votes.of(who).add(n), sum.increment(n)],
        },
      },
      migrations,
    } as never).definition,
  ) as Definition;

const toSum = ({ votes, sum, names }: any) => [
  forEach(votes.keys(), (who: any) => sum.increment(votes.of(who).value()).when(votes.of(who).value().greaterThan(0))),
  names.update((old: any) => old.concat(votes.keys())),
];

const READ = ['read', 0, ['local', 0], 'value'];

it('a migration reads fields and their keys, and changes others', () => {
  expect(poll(2, { 2: toSum }).migrations).toEqual([
    {
      to: 2,
      writes: [
        { field: 1, key: null, operation: 'increment', arguments: [READ], when: ['<', 0, READ], over: [0, ['keys', 0]] },
        { field: 2, key: null, operation: 'update', arguments: [['join', ['read', 2, null, 'get'], ['keys', 0]]], when: null, over: null },
      ],
    },
  ]);
});

it('migrations are in the order of their versions, and left out where there are none', () => {
  expect(poll(4, { 4: () => [], 2: toSum }).migrations!.map(({ to }) => to)).toEqual([2, 4]);
  expect(poll(2, {})).not.toHaveProperty('migrations');
});

it('a migration leads to a version from 2 to that of the type', () => {
  for (const to of [1, 3, 1.5, 'two']) expect(() => poll(2, { [to]: toSum })).toThrow(/from 2 to 2/);
  expect(() => poll(2, { 2: 'sum' })).toThrow(/no function/);
});

it('what only a migration may do is refused elsewhere, and the other way round', () => {
  const writing = (write: unknown) => () =>
    defineType({
      name: 'Probe',
      version: 1,
      meaning: '',
      state: { votes: each(counter) },
      operations: { act: { meaning: '', write } },
    } as never);
  expect(writing(({ votes }: any) => [votes.of('a').add(votes.keys().length())])).toThrow(/only a migration knows the keys/);
  const list = shape.list(shape.text);
  expect(writing(({ votes }: any) => [forEach(list.of(['a']), () => votes.of('a').add(1))])).toThrow(/only a migration/);
  expect(() => poll(2, { 2: ({ sum }: any) => [sum.tryDecrement(1)] })).toThrow(DefinitionError);
  expect(() => poll(2, { 2: ({ votes }: any) => [forEach(votes.keys(), () => 'change' as never)] })).toThrow(/returns one change/);
  let more = 0;
  expect(() => poll(2, { 2: ({ sum }: any) => [sum.increment(++more)] })).toThrow(/runs again/);
});
