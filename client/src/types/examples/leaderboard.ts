// Leaderboard: points that lose half of their weight in each half-life, so that the last days count most.
//
// All scores decay alike, so time never changes their order. The board therefore does not let old points shrink but lets new ones grow: points
// count twice as much a half-life later. Scores are added, in whatever order, and nobody waits. Scores are negative: the best comes first.

import { defineType, integer, number, optional, power, scored, scoredSet, text, type IntegerValue } from '@claret/client/types';

/** Thousandths of a point are kept. 63 bits then hold a million points 33 half-lives after the epoch. */
const SCALE = 1_000;

const time = {
  at: integer('when, in seconds'),
  epoch: integer('when the board began, in seconds; always the same for one board'),
  halfLife: integer('in seconds; always the same for one board'),
};

/** How much points of that time weigh. */
const weight = ({ at, epoch, halfLife }: { at: IntegerValue; epoch: IntegerValue; halfLife: IntegerValue }) =>
  power(2, at.minus(epoch).toNumber().dividedBy(halfLife)).times(SCALE);

export const Leaderboard = defineType({
  name: 'Leaderboard',
  version: 1,
  meaning: 'Players by points that decay. A board lasts for about thirty half-lives; then a new one begins.',
  state: { board: scoredSet },
  operations: {
    score: {
      meaning: 'Gives a player points. Refused (out_of_range) once the board has lasted too long.',
      parameters: { player: text('who'), points: number('how many'), ...time },
      write: ({ board }, args) => [board.increment(args.player, args.points.times(weight(args)).times(-1).floor())],
    },
    top: {
      meaning: 'The n best players, the best first, with their scores: -1000 times the points, as they weigh at the epoch.',
      parameters: { n: integer('how many') },
      result: scored(),
      require: (_, { n }) => [n.atLeast(1).orRefuse('too_few', 'n is 1 or more')],
      answer: ({ board }, { n }) => board.range(0, n.minus(1)),
    },
    rank: {
      meaning: "A player's rank, from 0 for the best; absent if they have no points.",
      parameters: { player: text('who') },
      result: optional(),
      answer: ({ board }, { player }) => board.rank(player),
    },
    points: {
      meaning: 'The points that a player has at that time.',
      parameters: { player: text('who'), ...time },
      result: number(),
      answer: ({ board }, args) => board.score(args.player).orElse(0).asInteger().toNumber().dividedBy(weight(args)).times(-1),
    },
  },
});
