// The operations that are measured, in each of the ways, on a record that no other cell uses. Each subject does the same in all ways but `built-in`,
// and in the end compares what is stored with what was acknowledged.

import type { Claret, Integer } from '@claret/client';
import { Leaderboard } from '../../../client/src/types/examples/leaderboard.ts';
import { OrderBook } from '../../../client/src/types/examples/order-book.ts';
import { RateLimiter } from '../../../client/src/types/examples/rate-limiter.ts';
import { SeatMap } from '../../../client/src/types/examples/seat-map.ts';
import { randomFrom } from '../../kit/random.ts';
import type { Subject, Way } from './question.ts';
import { TenBest, orderBook, tenBest } from './values.ts';
import { same, type MakeWork, type Work } from './work.ts';

export const TYPES = [SeatMap, RateLimiter, Leaderboard, OrderBook, TenBest];

/** A record of an installed type has up to 1 MiB, so guests go on to the next hall before one is that large. */
export const SEATS_OF_HALL = 8_192;
const SECTION = 'stalls';
const GUEST = 'ann';

/**
 * Seats that nobody has yet, hall after hall; a hall is opened while the one before is being filled.
 * `left`: how many seats of a hall are free.
 */
async function halls(
  cell: string,
  open: (hall: string) => Promise<unknown>,
  reserve: (hall: string, seat: string) => Promise<unknown>,
  left: (hall: string) => Promise<Integer>,
): Promise<Work> {
  const nameOf = (hall: number) => `{${cell}:${hall}}`;
  const opening: Promise<unknown>[] = [open(nameOf(0))];
  const isOpen = [true];
  await opening[0];
  let guests = 0;
  return {
    run() {
      const hall = Math.floor(guests / SEATS_OF_HALL);
      const seat = guests++ % SEATS_OF_HALL;
      if (seat === 0) opening[hall + 1] = open(nameOf(hall + 1)).then(() => (isOpen[hall + 1] = true));
      const name = nameOf(hall);
      return isOpen[hall] === true ? reserve(name, `s${seat}`) : opening[hall]!.then(() => reserve(name, `s${seat}`));
    },
    async check(done) {
      await Promise.all(opening);
      let taken = 0;
      for (let hall = 0; hall < opening.length; hall++) taken += SEATS_OF_HALL - Number(await left(nameOf(hall)));
      same('seats', taken, done);
    },
  };
}

const FREE = (hall: string) => `${hall}:free`;
const SEATS = (hall: string) => `${hall}:seats`;

const seatMap: Record<Way, MakeWork> = {
  native: (claret, cell) => composedHalls(claret, cell, (hall, seat) => claret.native.of(SeatMap, hall).reserve(SECTION, seat, GUEST)),
  'one-shot': (claret, cell) =>
    composedHalls(claret, cell, (hall, seat) => claret.transact('reserve', [claret.on.of(SeatMap, hall).reserve(SECTION, seat, GUEST)])),
  'by hand': (claret, cell) =>
    halls(
      cell,
      (hall) => claret.native.boundedCounter(FREE(hall)).increment(SEATS_OF_HALL),
      (hall, seat) =>
        claret.transaction('reserve', async (tx) => {
          const [guest] = await tx.dict(SEATS(hall)).get(seat);
          if (guest !== null) throw new Error('the seat is taken');
          tx.boundedCounter(FREE(hall)).decrement(1);
          tx.dict(SEATS(hall)).set({ [seat]: GUEST });
        }),
      (hall) => claret.native.boundedCounter(FREE(hall)).value(),
    ),
  'built-in': async (claret, cell) => {
    const plenty = 2n ** 40n;
    const counter = claret.native.boundedCounter(cell);
    await counter.increment(plenty);
    return {
      run: () => counter.decrement(1),
      check: async (done) => same('decrements', plenty - BigInt(await counter.value()), BigInt(done)),
    };
  },
};

const composedHalls = (claret: Claret, cell: string, reserve: (hall: string, seat: string) => Promise<unknown>) =>
  halls(
    cell,
    (hall) => claret.native.of(SeatMap, hall).open(SECTION, SEATS_OF_HALL),
    reserve,
    (hall) => claret.native.of(SeatMap, hall).left(SECTION),
  );

/** So many that nobody reaches it: what is measured is the way to yes. */
const LIMIT = 2n ** 40n;
const CALLER = ['ann', 7, LIMIT] as const;

function allowances(run: () => Promise<unknown>, used: () => Promise<Integer>): Work {
  return { run, check: async (done) => same('requests', BigInt(await used()), BigInt(done)) };
}

const rateLimiter: Record<Way, MakeWork> = {
  native: async (claret, cell) => {
    const limiter = claret.native.of(RateLimiter, cell);
    return allowances(
      () => limiter.allow(...CALLER),
      async () => LIMIT - BigInt(await limiter.left(...CALLER)),
    );
  },
  'one-shot': async (claret, cell) => {
    const limiter = claret.on.of(RateLimiter, cell);
    return allowances(
      () => claret.transact('allow', [limiter.allow(...CALLER)]),
      async () => LIMIT - BigInt(await claret.native.of(RateLimiter, cell).left(...CALLER)),
    );
  },
  'by hand': async (claret, cell) =>
    allowances(
      () =>
        claret.transaction('allow', async (tx) => {
          const used = tx.boundedCounter(cell);
          const isReached = await used.atLeast(LIMIT);
          if (!isReached) used.increment(1);
          return !isReached;
        }),
      () => claret.native.boundedCounter(cell).value(),
    ),
  'built-in': async (claret, cell) => {
    const counter = claret.native.boundedCounter(cell);
    return allowances(
      () => counter.increment(1),
      () => counter.value(),
    );
  },
};

const PLAYERS = 1_000;
const DRAWN = 1 << 14;
const POINTS_MAX = 100;
/** An hour after the board began; points lose half of their weight in twelve. */
const [AT, EPOCH, HALF_LIFE] = [1_750_003_600, 1_750_000_000, 43_200];
const weightOf = (points: number) => BigInt(Math.floor(-points * 2 ** ((AT - EPOCH) / HALF_LIFE) * 1_000));

/** `give`: sends points to a player; `total`: the scores of all players together. */
function scores(seed: number, give: (player: string, points: number) => Promise<unknown>, total: () => Promise<bigint>): Work {
  const random = randomFrom(seed);
  const drawn = Array.from({ length: DRAWN }, () => ({
    player: `p${Math.floor(random() * PLAYERS)}`,
    points: 1 + Math.floor(random() * POINTS_MAX),
  }));
  const all = drawn.reduce((sum, { points }) => sum + weightOf(points), 0n);
  let given = 0;
  return {
    run() {
      const { player, points } = drawn[given++ % DRAWN]!;
      return give(player, points);
    },
    async check(done) {
      const rest = drawn.slice(0, done % DRAWN).reduce((sum, { points }) => sum + weightOf(points), 0n);
      same('points', await total(), BigInt(Math.floor(done / DRAWN)) * all + rest);
    },
  };
}

const sumOf = (scored: readonly (readonly [item: string, score: Integer])[]) => scored.reduce((sum, [, score]) => sum + BigInt(score), 0n);

const leaderboard: Record<Way, MakeWork> = {
  native: async (claret, cell, seed) => {
    const board = claret.native.of(Leaderboard, cell);
    return scores(
      seed,
      (player, points) => board.score(player, points, AT, EPOCH, HALF_LIFE),
      async () => sumOf(await board.top(PLAYERS)),
    );
  },
  'one-shot': async (claret, cell, seed) => {
    const board = claret.on.of(Leaderboard, cell);
    return scores(
      seed,
      (player, points) => claret.transact('score', [board.score(player, points, AT, EPOCH, HALF_LIFE)]),
      async () => sumOf(await claret.native.of(Leaderboard, cell).top(PLAYERS)),
    );
  },
  'by hand': async (claret, cell, seed) =>
    scores(
      seed,
      (player, points) => claret.transaction('score', (tx) => void tx.scoredSet(cell).increment(player, weightOf(points))),
      async () => sumOf(await claret.native.scoredSet(cell).range(0, PLAYERS - 1)),
    ),
  'built-in': async (claret, cell, seed) => {
    const board = claret.native.scoredSet(cell);
    return scores(
      seed,
      (player, points) => board.increment(player, weightOf(points)),
      async () => sumOf(await board.range(0, PLAYERS - 1)),
    );
  },
};

const SUBJECTS: Record<Subject, Record<Way, MakeWork>> = {
  'SeatMap.reserve': seatMap,
  'RateLimiter.allow': rateLimiter,
  'Leaderboard.score': leaderboard,
  'TenBest.add': tenBest,
  'OrderBook.trade': orderBook,
};

export const workOf = (subject: Subject, way: Way): MakeWork => SUBJECTS[subject][way];
