// Data types of an application's own, which are installed, replaced by later versions, retired and taken back while transactions run. What each
// transaction changes of a record of such a type it also counts in built-in ones, on other shards: seats that are left and seats that are taken
// make those that were opened, and no window has more requests than its limit, whatever the models of these types say.
import type { Claret, Description, HistoryAttempt, Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { DefinedType } from '@claret/client/types';
import type { Chance } from '../../kit/random.ts';
import { addDefinition } from '../history/models/index.ts';
import { Leaderboard, LaterSeatMap, MovingSeatMap, MOVES_FROM, RateLimiter, SeatMap, wronglyClaimed } from './types/installed.ts';
import { TypeCourses, type TypesInUse } from './types/types-in-use.ts';
import { perform, performNatives, type Running, type Workload } from './workload.ts';

const HALLS = 2;
const SECTIONS = ['A', 'B'];
/** of a section */
const SEATS = 20;
const OPENED_MAX = 5;
const LIMITERS = 2;
const CALLERS = ['ann', 'bob', 'cy'];
const WINDOWS = 3;
const LIMIT = 20;
const BOARDS = 2;
/** In seconds; all of a board is within one half-life. */
const HALF_LIFE = 3_600;
const BOARD_TOP = 10;

const hallOf = (chance: Chance): string => `hall:${chance.below(HALLS)}`;
const openedOf = (hall: string, section: string): string => `opened:${hall}:${section}`;
const takenOf = (hall: string, section: string): string => `taken:${hall}:${section}`;
const allowedOf = (limiter: string, who: string, window: number): string => `allowed:${limiter}:${who}:${window}`;
const seatOf = (section: string, chance: Chance): string => `${section}${chance.below(SEATS)}`;
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

type Hall = typeof SeatMap;

export class OwnTypes implements Running {
  readonly types: TypesInUse;
  readonly #natives: boolean;
  readonly #hall: Hall;
  readonly #wrong: string[] = [];

  /** `natives`: some operations are natives */
  constructor(natives: boolean, hall: Hall = SeatMap, courses = coursesOf(hall, LATER)) {
    this.#natives = natives;
    this.#hall = hall;
    this.types = { ...TYPES, first: [hall, RateLimiter, Leaderboard], next: (chance) => courses.next(chance) };
    for (const { definition } of [MovingSeatMap, RateLimiter, Leaderboard]) addDefinition(definition);
  }

  run(claret: Claret, chance: Chance): Promise<unknown> {
    const kind = chance.next();
    if (kind < 0.5) return this.#change(claret, chance);
    if (kind < 0.7) return this.#count(claret, chance);
    if (kind < 0.85) return this.#ask(claret, chance);
    return this.#score(claret, chance);
  }

  /** As natives in that share of cases. */
  async #perform(claret: Claret, chance: Chance, label: string, share: number, calls: Description<unknown>[]): Promise<void> {
    if (this.#natives && chance.happens(share)) await performNatives(claret, chance, calls);
    else await perform(claret, chance, label, calls);
  }

  /** Seats are opened, taken, given back, or exchanged. */
  #change(claret: Claret, chance: Chance): Promise<unknown> {
    const [hall, section] = [hallOf(chance), chance.pick(SECTIONS)];
    const [seat, other] = [seatOf(section, chance), seatOf(section, chance)];
    const seats = claret.on.of(this.#hall, hall);
    const taken = claret.on.counter(takenOf(hall, section));
    const kind = chance.next();
    if (kind < 0.2) {
      const count = 1 + chance.below(OPENED_MAX);
      return perform(claret, chance, 'Open', [seats.open(section, count), claret.on.counter(openedOf(hall, section)).add(count)]);
    }
    if (kind < 0.6) return perform(claret, chance, 'Reserve', [seats.reserve(section, seat, chance.pick(CALLERS)), taken.add(1)]);
    if (kind < 0.8) return perform(claret, chance, 'GiveBack', [seats.giveBack(section, seat), taken.add(-1)]);
    if (kind < 0.9 && seat !== other) {
      return perform(claret, chance, 'Exchange', [seats.giveBack(section, seat), seats.reserve(section, other, chance.pick(CALLERS))]);
    }
    const move = claret.on.of(MovingSeatMap, hall).move(seat, other);
    return this.#perform(claret, chance, 'Move', 0.5, [move]);
  }

  /** Sees whether seats that are left and taken make those that were opened. */
  async #count(claret: Claret, chance: Chance): Promise<void> {
    const [hall, section] = [hallOf(chance), chance.pick(SECTIONS)];
    const all = [
      claret.on.of(this.#hall, hall).left(section),
      claret.on.counter(takenOf(hall, section)).value(),
      claret.on.counter(openedOf(hall, section)).value(),
    ];
    const kind = chance.next();
    if (kind < 0.2) return this.#perform(claret, chance, 'Look', 1, [all[0]!, claret.on.of(this.#hall, hall).atLeast(section, 2)]);
    const label = 'Count';
    const inSteps = async (tx: Tx) => {
      const seen: unknown[] = [];
      for (const read of all) seen.push(await tx.perform(read));
      return seen;
    };
    const counts =
      kind < 0.5
        ? await claret.transact(label, all, chance.happens(0.3) ? steered({ way: 'epoch' }) : {})
        : await claret.transaction(label, inSteps, chance.happens(0.3) ? { isolation: 'snapshot' } : {});
    this.#judgeSeats(`${label} of ${hall}`, section, counts);
  }

  #judgeSeats(where: string, section: string, counts: readonly unknown[]): void {
    const [left, taken, opened] = counts.map((count) => (isNumber(count) ? Number(count) : NaN)) as [number, number, number];
    if (left + taken !== opened) this.#wrong.push(`${where}: of ${opened} seats of ${section}, ${left} are left and ${taken} are taken`);
  }

  /** Requests, and what is left of their windows. */
  #ask(claret: Claret, chance: Chance): Promise<unknown> {
    const limiter = `limiter:${chance.below(LIMITERS)}`;
    const [who, window] = [chance.pick(CALLERS), chance.below(WINDOWS)];
    if (chance.happens(0.2)) return this.#perform(claret, chance, 'Left', 1, [claret.on.of(RateLimiter, limiter).left(who, window, LIMIT)]);
    return claret.transaction('Request', async (tx) => {
      const isAllowed = await tx.of(RateLimiter, limiter).allow(who, window, LIMIT);
      if (isAllowed) tx.counter(allowedOf(limiter, who, window)).add(1);
      return isAllowed;
    });
  }

  /** Points, and looks at the best. */
  #score(claret: Claret, chance: Chance): Promise<unknown> {
    const board = claret.on.of(Leaderboard, `board:${chance.below(BOARDS)}`);
    const time = [chance.below(HALF_LIFE), 0, HALF_LIFE] as const;
    const drawn = (): Description<unknown> => {
      const kind = chance.below(5);
      const player = chance.pick(CALLERS);
      if (kind < 2) return board.score(player, chance.below(20) / 4, ...time);
      if (kind === 2) return board.top(1 + chance.below(BOARD_TOP));
      return kind === 3 ? board.rank(player) : board.points(player, ...time);
    };
    const calls = Array.from({ length: 1 + chance.below(2) }, drawn);
    return this.#perform(claret, chance, 'Board', 0.3, calls);
  }

  judge(history: readonly HistoryAttempt[]) {
    const found = new Map(
      history
        .filter(({ label, outcome }) => label === 'FinalRead' && outcome === 'ok')
        .flatMap(({ ops }) => ops.map(({ key, op, args, result }) => [nameOf(key, op, args), result] as const)),
    );
    for (let hall = 0; hall < HALLS; hall++) {
      for (const section of SECTIONS) {
        const name = `hall:${hall}`;
        const left = found.get(nameOf(name, 'left', [section]));
        const [taken, opened] = [takenOf(name, section), openedOf(name, section)].map((key) => found.get(nameOf(key, 'value', [])));
        const counts = [left, taken, opened];
        // What only a process has named that died is not read.
        if (!counts.includes(undefined)) this.#judgeSeats(`At the end of ${name}`, section, counts);
      }
    }
    for (const [name, left] of found) {
      const [key, op, who, window] = name.split(' ') as [string, string, string, string];
      if (!key.startsWith('limiter:') || op !== 'left') continue;
      const allowed = found.get(nameOf(allowedOf(key, who, Number(window)), 'value', []));
      if (allowed === undefined || Number(left) + Number(allowed) === LIMIT) continue;
      this.#wrong.push(`${key} allowed ${who} ${Number(allowed)} requests of ${LIMIT} in window ${window}, and has ${String(left)} left`);
    }
    return this.#wrong.map((text) => ({ rule: 'own types', text }));
  }
}

const nameOf = (key: string, op: string, args: readonly unknown[]): string => [key, op, ...args].join(' ');

const TYPES_BY_PREFIX: Readonly<Record<string, string>> = { hall: 'SeatMap', limiter: 'RateLimiter', board: 'Leaderboard' };

const TYPES: Omit<TypesInUse, 'first' | 'next'> = {
  complete: { SeatMap: MOVES_FROM },
  typeOf: (key) => TYPES_BY_PREFIX[key.slice(0, key.indexOf(':'))],
  refusals: {
    'SeatMap.reserve': ['SeatMap.taken', 'below_bound'],
    'SeatMap.giveBack': ['SeatMap.free'],
    'SeatMap.move': ['SeatMap.free', 'SeatMap.taken'],
  },
  finalReads({ on }, type, key) {
    if (type === 'Leaderboard') return [on.of(Leaderboard, key).top(BOARD_TOP)];
    if (type === 'RateLimiter') {
      const windows = CALLERS.flatMap((who) => Array.from({ length: WINDOWS }, (_, window) => [who, window] as const));
      return windows.map(([who, window]) => on.of(RateLimiter, key).left(who, window, LIMIT));
    }
    const seats = SECTIONS.flatMap((section) => Array.from({ length: SEATS }, (_, i) => `${section}${i}`));
    return [...SECTIONS.map((section) => on.of(SeatMap, key).left(section)), ...seats.map((seat) => on.of(SeatMap, key).guest(seat))];
  },
};

const LATER = [LaterSeatMap, MovingSeatMap];

const coursesOf = (hall: Hall, planned: readonly DefinedType[]): TypeCourses =>
  new TypeCourses([{ first: hall, planned }, { first: RateLimiter }, { first: Leaderboard, mayRetire: true }]);

export const ownTypes: Workload = { name: 'own-types', begin: () => new OwnTypes(true) };

/** The types are wrong: a claim is not true. The checks have to notice. */
export const wrongClaim: Workload = {
  name: 'wrong-claim',
  begin: () => {
    const wrong = wronglyClaimed(SeatMap);
    return new OwnTypes(true, wrong, coursesOf(wrong, LATER.map(wronglyClaimed)));
  },
};
