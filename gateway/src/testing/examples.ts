// The example types of the client, for tests of what their records outlive.
import type { Claret } from '@claret/client';
import type { DefinedType } from '@claret/client/types';
import { expect } from 'vitest';
import { Leaderboard } from '../../../client/src/types/examples/leaderboard.ts';
import { OrderBook } from '../../../client/src/types/examples/order-book.ts';
import { RateLimiter } from '../../../client/src/types/examples/rate-limiter.ts';
import { SeatMap } from '../../../client/src/types/examples/seat-map.ts';

/** Installs them, or only these, through the gateway with this REST address, "http://host:port". */
export async function installAt(
  rest: string,
  types: readonly DefinedType[] = [SeatMap, RateLimiter, Leaderboard, OrderBook],
): Promise<void> {
  for (const { name, version, definition } of types) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${rest}/v1/types`, { method: 'POST', headers, body: JSON.stringify({ definition }) });
    expect([answer.status, await answer.json()]).toMatchObject([200, { type: { name, version } }]);
  }
}

/** Records of all examples under keys that begin with these. */
export function ofExamples(claret: Claret, keys: readonly string[]) {
  const { native, on } = claret;
  const hall = (key: string) => key;
  const [limiter, board, book] = ['limiter', 'board', 'book'].map((name) => (key: string) => `{${key}}:${name}`) as [
    typeof hall,
    typeof hall,
    typeof hall,
  ];
  return {
    async fill(): Promise<void> {
      for (const key of keys) {
        await native.of(SeatMap, hall(key)).open('A', 10);
        await native.of(SeatMap, hall(key)).reserve('A', 'A1', 'ann');
        await claret.transaction('Use', async (tx) => {
          tx.of(SeatMap, hall(key)).reserve('A', 'A2', 'bob');
          await tx.of(RateLimiter, limiter(key)).allow('ann', 1, 2);
          tx.of(Leaderboard, board(key)).score('ann', 2.5, 100, 0, 100);
        });
        await native.of(SeatMap, hall(key)).giveBack('A', 'A1');
        await native.of(Leaderboard, board(key)).score('bob', 7, 50, 0, 100);
        await native.of(OrderBook, book(key)).offer('ann', 12, 5);
        await native.of(OrderBook, book(key)).offer('bob', 10, 2);
        expect(await native.of(OrderBook, book(key)).buy(20, 3)).toBe(3);
      }
    },
    async read(): Promise<unknown[]> {
      const all: unknown[] = [];
      for (const key of keys) {
        const seats = on.of(SeatMap, hall(key));
        const scores = on.of(Leaderboard, board(key));
        all.push(
          await claret.transact('Read', [
            seats.left('A'),
            seats.guest('A1'),
            seats.guest('A2'),
            on.of(RateLimiter, limiter(key)).left('ann', 1, 2),
            scores.top(3),
            scores.points('ann', 100, 0, 100),
            on.of(OrderBook, book(key)).onOffer(20),
          ]),
        );
      }
      return all;
    },
    /** Their operations do what they do elsewhere. */
    async use(): Promise<void> {
      for (const key of keys) {
        await expect(native.of(SeatMap, hall(key)).reserve('A', 'A2', 'eve')).rejects.toMatchObject({ code: 'SeatMap.taken' });
        await native.of(SeatMap, hall(key)).reserve('A', 'A3', 'eve');
        expect(await native.of(SeatMap, hall(key)).left('A')).toBe(8);
        const allow = () => native.of(RateLimiter, limiter(key)).allow('ann', 1, 2);
        expect([await allow(), await allow()]).toEqual([true, false]);
        await native.of(Leaderboard, board(key)).score('ann', 100, 100, 0, 100);
        expect((await native.of(Leaderboard, board(key)).top(1)).map(([player]) => player)).toEqual(['ann']);
        expect(await native.of(OrderBook, book(key)).buy(11, 1)).toBe(0);
        expect(await native.of(OrderBook, book(key)).buy(12, 9)).toBe(4);
      }
    },
  };
}
