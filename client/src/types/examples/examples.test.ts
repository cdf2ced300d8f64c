// The examples, and their definitions as a cluster gets them: the format that the core reads.

import { expect, it } from 'vitest';
import type { Definition } from '../definition.ts';
import { Leaderboard } from './leaderboard.ts';
import { OrderBook } from './order-book.ts';
import { RateLimiter } from './rate-limiter.ts';
import { SeatMap } from './seat-map.ts';

const parameter = (name: string, kind: string, meaning: string) => ({ name, kind, meaning });

it('SeatMap', () => {
  const section = parameter('section', 'text', 'the section');
  const seat = parameter('seat', 'text', 'the seat, unique in the hall');
  const free = (index: number) => ['absent', ['item', ['read', 1, null, 'get', ['list', ['argument', index]]], 0]];
  expect(JSON.parse(SeatMap.definition)).toEqual({
    format: 1,
    name: 'SeatMap',
    version: 1,
    meaning: 'The seats of a hall by section: how many are free, and who has which.',
    fields: [
      { name: 'free', type: 'BoundedCounter', each: true },
      { name: 'seats', type: 'Dict', each: false },
    ],
    operations: [
      {
        name: 'open',
        meaning: 'Adds seats to a section.',
        parameters: [section, parameter('seats', 'integer', 'how many')],
        result: 'void',
        require: [],
        answer: null,
        writes: [{ field: 0, key: ['argument', 0], operation: 'increment', arguments: [['argument', 1]], when: null }],
      },
      {
        name: 'reserve',
        meaning: 'Takes a seat for a guest. Refused if it is taken (SeatMap.taken), or if the section is sold out (below_bound).',
        parameters: [section, seat, parameter('guest', 'text', 'who takes it')],
        result: 'void',
        require: [{ that: free(1), code: 'taken', message: 'the seat is taken' }],
        answer: null,
        writes: [
          { field: 0, key: ['argument', 0], operation: 'decrement', arguments: [1], when: null },
          { field: 1, key: null, operation: 'set', arguments: [['list', ['list', ['argument', 1], ['argument', 2]]]], when: null },
        ],
      },
      {
        name: 'giveBack',
        meaning: 'Frees a seat. Refused if nobody has it (SeatMap.free).',
        parameters: [section, seat],
        result: 'void',
        require: [{ that: ['not', free(1)], code: 'free', message: 'nobody has the seat' }],
        answer: null,
        writes: [
          { field: 0, key: ['argument', 0], operation: 'increment', arguments: [1], when: null },
          { field: 1, key: null, operation: 'remove', arguments: [['list', ['argument', 1]]], when: null },
        ],
      },
      {
        name: 'left',
        meaning: 'How many seats of a section are free. Waits for those who take some.',
        parameters: [section],
        result: 'integer',
        require: [],
        answer: ['read', 0, ['argument', 0], 'value'],
        writes: [],
      },
      {
        name: 'atLeast',
        meaning: 'Whether n seats of a section are free or more. Waits for nobody unless that is about to change.',
        parameters: [section, parameter('n', 'integer', 'how many')],
        result: 'boolean',
        require: [],
        answer: ['read', 0, ['argument', 0], 'atLeast', ['argument', 1]],
        writes: [],
      },
      {
        name: 'guest',
        meaning: 'Who has a seat; absent if nobody has.',
        parameters: [seat],
        result: 'optional',
        require: [],
        answer: ['item', ['read', 1, null, 'get', ['list', ['argument', 0]]], 0],
        writes: [],
      },
    ],
    commutes: [],
  });
});

it('RateLimiter', () => {
  const parameters = [
    parameter('who', 'text', 'the caller'),
    parameter('window', 'integer', 'the number of the window: the time divided by its length'),
    parameter('limit', 'integer', 'how many requests a window has'),
  ];
  const key = ['concat', ['concat', ['argument', 1], ':'], ['argument', 0]];
  expect(JSON.parse(RateLimiter.definition)).toEqual({
    format: 1,
    name: 'RateLimiter',
    version: 1,
    meaning: 'Requests by caller and window. Commutes until a limit is reached. Use one record for each day, say, and let it expire.',
    fields: [{ name: 'used', type: 'BoundedCounter', each: true }],
    operations: [
      {
        name: 'allow',
        meaning: 'Counts a request if the limit is not reached; answers whether it did.',
        parameters,
        result: 'boolean',
        require: [],
        answer: ['not', ['read', 0, key, 'atLeast', ['argument', 2]]],
        writes: [{ field: 0, key, operation: 'increment', arguments: [1], when: ['answer'] }],
      },
      {
        name: 'left',
        meaning: 'How many requests the window still has.',
        parameters,
        result: 'integer',
        require: [],
        answer: ['max', ['-', ['argument', 2], ['read', 0, key, 'value']], 0],
        writes: [],
      },
    ],
    commutes: [],
  });
});

it('Leaderboard', () => {
  const time = [
    parameter('at', 'integer', 'when, in seconds'),
    parameter('epoch', 'integer', 'when the board began, in seconds; always the same for one board'),
    parameter('halfLife', 'integer', 'in seconds; always the same for one board'),
  ];
  const weight = (at: number) => {
    const age = ['+', ['-', ['argument', at], ['argument', at + 1]], ['number', 0]];
    return ['*', ['power', ['number', 2], ['/', age, ['argument', at + 2]]], ['number', 1000]];
  };
  const gain = ['floor', ['*', ['*', ['argument', 1], weight(2)], ['number', -1]]];
  const kept = ['+', ['or_else', ['read', 0, null, 'score', ['argument', 0]], 0], ['number', 0]];
  expect(JSON.parse(Leaderboard.definition)).toEqual({
    format: 1,
    name: 'Leaderboard',
    version: 1,
    meaning: 'Players by points that decay. A board lasts for about thirty half-lives; then a new one begins.',
    fields: [{ name: 'board', type: 'ScoredSet', each: false }],
    operations: [
      {
        name: 'score',
        meaning: 'Gives a player points. Refused (out_of_range) once the board has lasted too long.',
        parameters: [parameter('player', 'text', 'who'), parameter('points', 'number', 'how many'), ...time],
        result: 'void',
        require: [],
        answer: null,
        writes: [{ field: 0, key: null, operation: 'increment', arguments: [['argument', 0], gain], when: null }],
      },
      {
        name: 'top',
        meaning: 'The n best players, the best first, with their scores: -1000 times the points, as they weigh at the epoch.',
        parameters: [parameter('n', 'integer', 'how many')],
        result: 'scored',
        require: [{ that: ['<=', 1, ['argument', 0]], code: 'too_few', message: 'n is 1 or more' }],
        answer: ['read', 0, null, 'range', 0, ['-', ['argument', 0], 1]],
        writes: [],
      },
      {
        name: 'rank',
        meaning: "A player's rank, from 0 for the best; absent if they have no points.",
        parameters: [parameter('player', 'text', 'who')],
        result: 'optional',
        require: [],
        answer: ['read', 0, null, 'rank', ['argument', 0]],
        writes: [],
      },
      {
        name: 'points',
        meaning: 'The points that a player has at that time.',
        parameters: [parameter('player', 'text', 'who'), ...time],
        result: 'number',
        require: [],
        answer: ['*', ['/', kept, weight(1)], ['number', -1]],
        writes: [],
      },
    ],
    commutes: [],
  });
});

it('OrderBook', () => {
  const definition = JSON.parse(OrderBook.definition) as Definition;
  expect(definition.fields).toEqual([
    {
      name: 'offers',
      type: 'Value',
      each: false,
      shape: ['list', ['record', ['seller', 'text'], ['price', 'integer'], ['pieces', 'integer']]],
      initial: ['list'],
    },
  ]);
  const [offer, buy, onOffer] = definition.operations;
  const offered = ['list', ['argument', 0], ['argument', 1], ['argument', 2]];
  expect(offer!.writes).toEqual([
    {
      field: 0,
      key: null,
      operation: 'update',
      arguments: [['sort', 0, ['join', ['old'], ['list', offered]], ['item', ['local', 0], 1]]],
      when: null,
    },
  ]);
  const pieces = ['if', ['<=', ['item', ['local', 0], 1], ['argument', 0]], ['item', ['local', 0], 2], 0];
  const sum = ['fold', 0, 1, ['map', 0, ['read', 0, null, 'get'], pieces], 0, ['+', ['local', 0], ['local', 1]]];
  expect(buy!.answer).toEqual(['min', ['argument', 1], sum]);
  const now = ['min', ['item', ['local', 0], 0], ['item', ['local', 1], 2]];
  const left = ['replace', ['local', 1], 2, ['-', ['item', ['local', 1], 2], ['local', 2]]];
  const offers = ['item', ['local', 0], 1];
  const kept = ['if', ['=', ['local', 2], ['item', ['local', 1], 2]], offers, ['join', offers, ['list', left]]];
  const taken = ['list', ['-', ['item', ['local', 0], 0], ['local', 2]], kept];
  expect(buy!.writes[0]!.arguments).toEqual([['item', ['fold', 0, 1, ['old'], ['list', ['answer'], ['list']], ['let', 2, now, taken]], 1]]);
  expect(onOffer!.writes).toEqual([]);
  expect(definition.commutes).toEqual([
    { first: 'offer', second: 'offer', when: ['not', ['=', ['argument', 0, 1], ['argument', 1, 1]]] },
    { first: 'offer', second: 'onOffer', when: ['<', ['argument', 1, 0], ['argument', 0, 1]] },
  ]);
});

it('a change of the format, or of an example, shows in its hash', () => {
  expect([SeatMap, RateLimiter, Leaderboard, OrderBook].map(({ hash }) => hash.slice(0, 8))).toEqual([
    '0aed07c2',
    '93222847',
    '7c097ae9',
    'b1ce32a6',
  ]);
});
