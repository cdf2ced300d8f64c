// Types whose claim is wrong on purpose, each in another way, and their twins, whose claim is right.
import {
  boolean,
  boundedCounter,
  concat,
  counter,
  defineType,
  dict,
  each,
  integer,
  isAbsent,
  item,
  list,
  optional,
  register,
  scoredSet,
  set,
  text,
  type BooleanValue,
} from '@claret/client/types';

export interface Mistake {
  /** what is wrong with the claim */
  what: string;
  /** definitions */
  wrong: string;
  right: string;
}

/** The conditions that are tried in the place of one claim. */
type Conditions<Wrong extends string> = Record<Wrong | 'right', BooleanValue | boolean>;
type Choice<Wrong extends string> = (conditions: Conditions<Wrong>) => BooleanValue | boolean;

/** `typeWith`: the type with the condition that it is told to take. `wrongs`: what is wrong, by condition. */
const mistakes = <Wrong extends string>(
  typeWith: (choice: Choice<Wrong>) => { definition: string },
  wrongs: Record<Wrong, string>,
): Mistake[] => {
  const right = typeWith((conditions) => conditions.right).definition;
  return (Object.entries(wrongs) as [Wrong, string][]).map(([wrong, what]) => ({
    what,
    wrong: typeWith((conditions) => conditions[wrong]).definition,
    right,
  }));
};

const about = { name: 'Tried', version: 1, meaning: 'Tried.' };
const n = integer('how many');

const growing = (choice: Choice<'direction' | 'wide'>) =>
  defineType({
    ...about,
    state: { sum: counter },
    operations: {
      add: {
        meaning: 'Adds n.',
        parameters: { n },
        require: (_, args) => [args.n.atLeast(0).orRefuse('negative', 'it only grows')],
        write: ({ sum }, args) => [sum.add(args.n)],
      },
      reached: {
        meaning: 'Whether it is at the goal.',
        parameters: { goal: n },
        result: boolean(),
        answer: ({ sum }, { goal }) => sum.value().atLeast(goal),
      },
    },
    commutes: [
      {
        first: 'add',
        second: 'reached',
        when: (add, reached) =>
          choice({
            right: reached.answer.or(add.arguments.n.is(0)),
            direction: reached.answer.not(),
            wide: reached.answer.or(add.arguments.n.lessThan(reached.arguments.goal)),
          }),
      },
    ],
  });

const bounded = (choice: Choice<'direction'>) =>
  defineType({
    ...about,
    state: { stock: boundedCounter },
    operations: {
      fill: { meaning: 'Adds n.', parameters: { n }, write: ({ stock }, args) => [stock.increment(args.n)] },
      take: { meaning: 'Takes n.', parameters: { n }, write: ({ stock }, args) => [stock.decrement(args.n)] },
      enough: {
        meaning: 'Whether there are n.',
        parameters: { n },
        result: boolean(),
        answer: ({ stock }, args) => stock.value().atLeast(args.n),
      },
    },
    commutes: [{ first: 'take', second: 'enough', when: (_, enough) => choice({ right: enough.answer.not(), direction: enough.answer }) }],
  });

const reserving = (choice: Choice<'together'>) =>
  defineType({
    ...about,
    state: { stock: counter },
    operations: {
      fill: { meaning: 'Adds n.', parameters: { n }, write: ({ stock }, args) => [stock.add(args.n)] },
      reserve: {
        meaning: 'Takes n, if there are as many.',
        parameters: { n },
        require: ({ stock }, args) => [
          args.n.atLeast(0).orRefuse('negative', 'none are given back'),
          stock.value().atLeast(args.n).orRefuse('too_few', 'there are fewer'),
        ],
        write: ({ stock }, args) => [stock.add(args.n.times(-1))],
      },
    },
    commutes: [
      {
        first: 'reserve',
        second: 'reserve',
        when: (one, other) =>
          choice({
            right: one.arguments.n.is(0).and(other.arguments.n.is(0)),
            together: one.arguments.n.plus(other.arguments.n).atMost(10),
          }),
      },
    ],
  });

const taking = (choice: Choice<'both'>) =>
  defineType({
    ...about,
    state: { stock: counter },
    operations: {
      fill: { meaning: 'Adds n.', parameters: { n }, write: ({ stock }, args) => [stock.add(args.n)] },
      take: {
        meaning: 'Takes one if there is one; answers whether there was.',
        result: boolean(),
        answer: ({ stock }) => stock.value().atLeast(1),
        write: ({ stock }, _, had) => [stock.add(-1).when(had)],
      },
    },
    commutes: [
      {
        first: 'take',
        second: 'take',
        when: (one, other) => choice({ right: one.answer.not().and(other.answer.not()), both: one.answer.and(other.answer) }),
      },
    ],
  });

const noting = (choice: Choice<'near'>) =>
  defineType({
    ...about,
    state: { last: register },
    operations: {
      touch: { meaning: 'Notes the day.', parameters: { day: integer('the day') }, write: ({ last }, { day }) => [last.set(day)] },
      last: { meaning: 'The last day.', result: optional(), answer: ({ last }) => last.get() },
    },
    commutes: [
      {
        first: 'touch',
        second: 'touch',
        when: (one, other) =>
          choice({ right: one.arguments.day.is(other.arguments.day), near: one.arguments.day.minus(other.arguments.day).atMost(1) }),
      },
    ],
  });

const raising = (choice: Choice<'always'>) =>
  defineType({
    ...about,
    state: { high: register },
    operations: {
      raise: {
        meaning: 'Raises the greatest value; answers whether it did.',
        parameters: { n },
        result: boolean(),
        answer: ({ high }, args) => args.n.greaterThan(high.get().orElse(0).asInteger()),
        write: ({ high }, args, did) => [high.set(args.n).when(did)],
      },
    },
    commutes: [
      { first: 'raise', second: 'raise', when: (one, other) => choice({ right: one.answer.not().and(other.answer.not()), always: true }) },
    ],
  });

const claiming = (choice: Choice<'alike'>) =>
  defineType({
    ...about,
    state: { owners: dict },
    operations: {
      claim: {
        meaning: 'Gives a name to the first who wants it; answers whether they have got it.',
        parameters: { name: text('the name'), who: text('who') },
        result: boolean(),
        answer: ({ owners }, { name }) => isAbsent(item(owners.get([name]), 0)),
        write: ({ owners }, { name, who }, got) => [owners.set([[name, who]]).when(got)],
      },
    },
    commutes: [
      {
        first: 'claim',
        second: 'claim',
        when: (one, other) => choice({ right: one.answer.not().and(other.answer.not()), alike: one.answer.is(other.answer) }),
      },
    ],
  });

const joining = (choice: Choice<'direction'>) =>
  defineType({
    ...about,
    state: { members: set },
    operations: {
      join: { meaning: 'Somebody comes.', parameters: { who: text('who') }, write: ({ members }, { who }) => [members.add(who)] },
      isEmpty: { meaning: 'Whether nobody is there.', result: boolean(), answer: ({ members }) => members.size().is(0) },
    },
    commutes: [
      { first: 'join', second: 'isEmpty', when: (_, isEmpty) => choice({ right: isEmpty.answer.not(), direction: isEmpty.answer }) },
    ],
  });

const ordering = (choice: Choice<'always'>) =>
  defineType({
    ...about,
    state: { lines: list },
    operations: {
      write: { meaning: 'Adds a line.', parameters: { line: text('the line') }, write: ({ lines }, { line }) => [lines.append([line])] },
      all: { meaning: 'How many there are.', result: integer(), answer: ({ lines }) => lines.length() },
    },
    commutes: [
      {
        first: 'write',
        second: 'write',
        when: (one, other) => choice({ right: one.arguments.line.is(other.arguments.line), always: true }),
      },
    ],
  });

const reading = (choice: Choice<'fromItsEnd'>) =>
  defineType({
    ...about,
    state: { lines: list },
    operations: {
      write: { meaning: 'Adds a line.', parameters: { line: text('the line') }, write: ({ lines }, { line }) => [lines.append([line])] },
      line: {
        meaning: 'A line, by its number; from the end, if that is negative.',
        parameters: { at: integer('its number') },
        result: optional(),
        answer: ({ lines }, { at }) => lines.at(at),
      },
    },
    commutes: [
      {
        first: 'write',
        second: 'line',
        when: (_, line) =>
          choice({
            right: line.answer.isAbsent().not().and(line.arguments.at.atLeast(0)),
            fromItsEnd: line.answer.isAbsent().not(),
          }),
      },
    ],
  });

const moving = (choice: Choice<'argument'>) =>
  defineType({
    ...about,
    state: { rooms: each(set) },
    operations: {
      move: {
        meaning: 'Somebody goes from one room to another.',
        parameters: { who: text('who'), from: text('the room they leave'), to: text('the room they enter') },
        write: ({ rooms }, { who, from, to }) => [rooms.of(from).remove(who), rooms.of(to).add(who)],
      },
    },
    commutes: [
      {
        first: 'move',
        second: 'move',
        when: (one, other) =>
          choice({
            right: one.arguments.who.isNot(other.arguments.who),
            argument: one.arguments.from.isNot(other.arguments.from),
          }),
      },
    ],
  });

const seating = (choice: Choice<'row'>) =>
  defineType({
    ...about,
    state: { guests: each(register) },
    operations: {
      seat: {
        meaning: 'Seats a guest.',
        parameters: { row: text('the row'), place: text('the place'), guest: text('who') },
        write: ({ guests }, { row, place, guest }) => [guests.of(concat(row, place)).set(guest)],
      },
    },
    commutes: [
      {
        first: 'seat',
        second: 'seat',
        when: ({ arguments: one }, { arguments: other }) =>
          choice({ right: concat(one.row, one.place).isNot(concat(other.row, other.place)), row: one.row.isNot(other.row) }),
      },
    ],
  });

const scoring = (choice: Choice<'field'>) =>
  defineType({
    ...about,
    state: { board: scoredSet, games: counter },
    operations: {
      score: {
        meaning: 'Points of a player, who has played once more.',
        parameters: { who: text('who'), n },
        write: ({ board, games }, args) => [board.increment(args.who, args.n), games.add(1)],
      },
      mean: {
        meaning: "A player's points for each game of all.",
        parameters: { who: text('who') },
        result: integer(),
        require: ({ games }) => [games.value().atLeast(1).orRefuse('no_game', 'nobody has played')],
        answer: ({ board, games }, { who }) => board.score(who).orElse(0).asInteger().dividedBy(games.value()),
      },
    },
    commutes: [
      {
        first: 'score',
        second: 'mean',
        when: (score, mean) => choice({ right: false, field: score.arguments.who.isNot(mean.arguments.who) }),
      },
    ],
  });

export const MISTAKES: readonly Mistake[] = [
  ...mistakes(growing, {
    direction: 'a write and a read, in the wrong direction: what is not reached yet will be',
    wide: 'a write and a read, too wide over arguments: less than the goal is added to what is there',
  }),
  ...mistakes(bounded, { direction: 'a bounded counter, in the wrong direction: what is enough now will not be' }),
  ...mistakes(reserving, { together: 'escrow by hand: together they take more than there is' }),
  ...mistakes(taking, { both: 'an operation and itself, too wide over answers: both have got the last one' }),
  ...mistakes(noting, { near: 'two writes, too wide over arguments: the next day is another one' }),
  ...mistakes(raising, { always: 'a greatest value that is set: the later one stays, and not the greater one' }),
  ...mistakes(claiming, { alike: 'over both answers: the same one would not be given twice' }),
  ...mistakes(joining, { direction: 'the size of a set, in the wrong direction' }),
  ...mistakes(ordering, { always: 'the order of a list' }),
  ...mistakes(reading, { fromItsEnd: 'a list from its end: the line is another one then' }),
  ...mistakes(moving, { argument: 'keys of a map, over the wrong argument: one person goes on from where they came' }),
  ...mistakes(seating, { row: 'keys of a map that are put together: "a" and "bc" is "ab" and "c"' }),
  ...mistakes(scoring, { field: 'a second field is forgotten: the games count too' }),
];
