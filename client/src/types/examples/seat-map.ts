// SeatMap: the seats of a hall. Guests of one section wait for each other only where its last seats go, or for the same seat.

import { boundedCounter, defineType, dict, each, integer, isAbsent, item, optional, boolean, text } from '@claret/client/types';

const section = text('the section');
const seat = text('the seat, unique in the hall');

export const SeatMap = defineType({
  name: 'SeatMap',
  version: 1,
  meaning: 'The seats of a hall by section: how many are free, and who has which.',
  state: { free: each(boundedCounter), seats: dict },
  operations: {
    open: {
      meaning: 'Adds seats to a section.',
      parameters: { section, seats: integer('how many') },
      write: ({ free }, args) => [free.of(args.section).increment(args.seats)],
    },
    reserve: {
      meaning: 'Takes a seat for a guest. Refused if it is taken (SeatMap.taken), or if the section is sold out (below_bound).',
      parameters: { section, seat, guest: text('who takes it') },
      require: ({ seats }, args) => [isAbsent(item(seats.get([args.seat]), 0)).orRefuse('taken', 'the seat is taken')],
      write: ({ free, seats }, args) => [free.of(args.section).decrement(1), seats.set([[args.seat, args.guest]])],
    },
    giveBack: {
      meaning: 'Frees a seat. Refused if nobody has it (SeatMap.free).',
      parameters: { section, seat },
      require: ({ seats }, args) => [
        isAbsent(item(seats.get([args.seat]), 0))
          .not()
          .orRefuse('free', 'nobody has the seat'),
      ],
      write: ({ free, seats }, args) => [free.of(args.section).increment(1), seats.remove([args.seat])],
    },
    left: {
      meaning: 'How many seats of a section are free. Waits for those who take some.',
      parameters: { section },
      result: integer(),
      answer: ({ free }, args) => free.of(args.section).value(),
    },
    atLeast: {
      meaning: 'Whether n seats of a section are free or more. Waits for nobody unless that is about to change.',
      parameters: { section, n: integer('how many') },
      result: boolean(),
      answer: ({ free }, args) => free.of(args.section).atLeast(args.n),
    },
    guest: {
      meaning: 'Who has a seat; absent if nobody has.',
      parameters: { seat },
      result: optional(),
      answer: ({ seats }, args) => item(seats.get([args.seat]), 0),
    },
  },
});
