// The data types that the workload own-types has installed: the client's examples, and later versions of them. One of these adds an operation.
import { boundedCounter, defineType, dict, each, isAbsent, item, text } from '@claret/client/types';
import type { DefinedType } from '@claret/client/types';
import { Leaderboard } from '../../../../client/src/types/examples/leaderboard.ts';
import { RateLimiter } from '../../../../client/src/types/examples/rate-limiter.ts';
import { SeatMap } from '../../../../client/src/types/examples/seat-map.ts';
import { laterVersion } from './types-in-use.ts';

export { Leaderboard, RateLimiter, SeatMap };

/** The version of SeatMap that can move guests. */
export const MOVES_FROM = 3;

/** Only what that version adds. */
const Moves = defineType({
  name: 'SeatMap',
  version: MOVES_FROM,
  meaning: 'What is added.',
  state: { free: each(boundedCounter), seats: dict },
  operations: {
    move: {
      meaning: 'Gives a guest another seat of the same section; answers who that is.',
      parameters: { from: text('the seat'), to: text('the other one') },
      result: text('the guest'),
      require: ({ seats }, { from, to }) => [
        isAbsent(item(seats.get([from]), 0))
          .not()
          .orRefuse('free', 'nobody has the seat'),
        isAbsent(item(seats.get([to]), 0)).orRefuse('taken', 'the other seat is taken'),
      ],
      answer: ({ seats }, { from }) =>
        item(seats.get([from]), 0)
          .present()
          .asText(),
      write: ({ seats }, { from, to }, guest) => [seats.remove([from]), seats.set([[to, guest]])],
    },
  },
});

export const LaterSeatMap = laterVersion(SeatMap, { version: MOVES_FROM - 1 });
export const MovingSeatMap = laterVersion(SeatMap, { version: MOVES_FROM, adds: Moves }) as DefinedType<
  (typeof SeatMap)['operations'] & (typeof Moves)['operations']
>;

const WRONG_CLAIMS = ['open', 'reserve', 'giveBack'].map((first) => ({ first, second: 'left', when: true }));

/** The same version of SeatMap, with a claim that is not true: who is told how many seats are left waits for nobody. */
export const wronglyClaimed = <Operations>(type: DefinedType<Operations>): DefinedType<Operations> =>
  laterVersion(type, { version: type.version, claims: WRONG_CLAIMS }) as DefinedType<Operations>;
