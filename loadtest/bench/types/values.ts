// Operations whose code goes over a value of the type's own shape, beside transactions that keep the same value as JSON in a Register.

import type { Claret } from '@claret/client';
import { choose, defineType, number, pairOf, ranked, shape, text, value } from '@claret/client/types';
import { OrderBook } from '../../../client/src/types/examples/order-book.ts';
import { randomFrom } from '../../kit/random.ts';
import type { Way } from './question.ts';
import { same, type MakeWork, type Work } from './work.ts';

// ---- the ten best of a stream of results: what TopK does, as code ----

const KEPT = 10;
const Best = shape.record({ item: shape.text, score: shape.number });

export const TenBest = defineType({
  name: 'TenBest',
  version: 1,
  meaning: 'The ten items with the highest scores.',
  state: { best: value(shape.list(Best), []) },
  operations: {
    add: {
      meaning: 'Adds the item, or raises its score.',
      parameters: { item: text('the item'), score: number('its score') },
      write: ({ best }, { item, score }) => [
        best.update((old) => {
          const isKept = old.some((kept) => kept.item.is(item).and(kept.score.atLeast(score)));
          const isBehind = old
            .length()
            .is(KEPT)
            .and(
              old
                .item(KEPT - 1)
                .present()
                .score.atLeast(score),
            );
          const others = old.filter((kept) => kept.item.isNot(item));
          const ordered = others.append(Best.of({ item, score })).sortBy((kept) => kept.score.times(-1));
          return choose(isBehind.or(isKept), old, ordered.slice(0, KEPT));
        }),
      ],
    },
    top: {
      meaning: 'The items with their scores, the best first.',
      result: ranked(),
      answer: ({ best }) => best.get().map((kept) => pairOf(kept.item, kept.score)),
    },
  },
});

type Result = readonly [item: string, score: number];

function withResult(best: readonly Result[], [item, score]: Result): readonly Result[] {
  if (best.some(([kept, known]) => kept === item && known >= score)) return best;
  const others = best.filter(([kept]) => kept !== item);
  return [...others, [item, score] as const].sort(([, one], [, other]) => other - one).slice(0, KEPT);
}

const ITEMS = 1_000;
const DRAWN = 1 << 14;

function results(seed: number, add: (item: string, score: number) => Promise<unknown>, top: () => Promise<readonly Result[]>): Work {
  const random = randomFrom(seed);
  const drawn = Array.from({ length: DRAWN }, (): Result => [`i${Math.floor(random() * ITEMS)}`, random()]);
  let added = 0;
  return {
    run: () => add(...drawn[added++ % DRAWN]!),
    async check(done) {
      const expected = drawn.slice(0, done).reduce(withResult, []);
      same('the ten best', JSON.stringify(await top()), JSON.stringify(expected));
    },
  };
}

export const tenBest: Record<Way, MakeWork> = {
  native: async (claret, cell, seed) => {
    const best = claret.native.of(TenBest, cell);
    return results(
      seed,
      (item, score) => best.add(item, score),
      () => best.top(),
    );
  },
  'one-shot': async (claret, cell, seed) => {
    const best = claret.on.of(TenBest, cell);
    return results(
      seed,
      (item, score) => claret.transact('add', [best.add(item, score)]),
      () => claret.native.of(TenBest, cell).top(),
    );
  },
  'by hand': async (claret, cell, seed) => {
    const read = async () => bestIn(await claret.native.register(cell).get());
    return results(
      seed,
      (item, score) =>
        claret.transaction('add', async (tx) => {
          const best = bestIn(await tx.register(cell).get());
          const changed = withResult(best, [item, score]);
          if (changed !== best) tx.register(cell).set(JSON.stringify(changed));
        }),
      read,
    );
  },
  'built-in': async (claret, cell, seed) => {
    const best = claret.native.topK(cell);
    return results(
      seed,
      (item, score) => best.add(item, score),
      () => best.top(KEPT),
    );
  },
};

const bestIn = (stored: unknown): readonly Result[] => (stored === null ? [] : (JSON.parse(stored as string) as Result[]));

// ---- an order book ----

const PRICES = 20;
const PIECES_MAX = 5;
const MEAN_PIECES = 3;

interface Book {
  offer(seller: string, price: number, pieces: number): Promise<unknown>;
  /** how many were bought */
  buy(price: number, pieces: number): Promise<number>;
  onOffer(price: number): Promise<number>;
}

/** Offers and purchases of as many pieces, by turns. */
function trades(seed: number, { offer, buy, onOffer }: Book): Work {
  const random = randomFrom(seed);
  const drawn = Array.from({ length: DRAWN }, () => ({
    price: 1 + Math.floor(random() * PRICES),
    pieces: 1 + Math.floor(random() * PIECES_MAX),
  }));
  let [turns, left] = [0, 0];
  return {
    run() {
      const turn = turns++;
      const { price, pieces } = drawn[turn % DRAWN]!;
      if (turn % 2 === 0) return offer('ann', price, pieces).then(() => (left += pieces));
      return buy(PRICES, MEAN_PIECES).then((bought) => (left -= bought));
    },
    check: async () => same('pieces on offer', await onOffer(PRICES), left),
  };
}

const onOffer = async (claret: Claret, cell: string) => Number(await claret.native.of(OrderBook, cell).onOffer(PRICES));

export const orderBook: Record<Way, MakeWork> = {
  native: async (claret, cell, seed) => {
    const book = claret.native.of(OrderBook, cell);
    return trades(seed, {
      offer: (seller, price, pieces) => book.offer(seller, price, pieces),
      buy: async (price, pieces) => Number(await book.buy(price, pieces)),
      onOffer: () => onOffer(claret, cell),
    });
  },
  'one-shot': async (claret, cell, seed) => {
    const book = claret.on.of(OrderBook, cell);
    return trades(seed, {
      offer: (seller, price, pieces) => claret.transact('offer', [book.offer(seller, price, pieces)]),
      buy: async (price, pieces) => Number((await claret.transact('buy', [book.buy(price, pieces)]))[0]),
      onOffer: () => onOffer(claret, cell),
    });
  },
  'by hand': async (claret, cell, seed) =>
    trades(seed, {
      offer: (seller, price, pieces) =>
        claret.transaction('offer', async (tx) => {
          const offers = [...offersIn(await tx.register(cell).get()), { seller, price, pieces }];
          tx.register(cell).set(JSON.stringify(offers.sort((one, other) => one.price - other.price)));
        }),
      buy: (price, wanted) =>
        claret.transaction('buy', async (tx) => {
          const offers = offersIn(await tx.register(cell).get());
          let bought = 0;
          const kept = offers.flatMap((offer) => {
            const now = offer.price > price ? 0 : Math.min(wanted - bought, offer.pieces);
            bought += now;
            return now === offer.pieces ? [] : [{ ...offer, pieces: offer.pieces - now }];
          });
          tx.register(cell).set(JSON.stringify(kept));
          return bought;
        }),
      onOffer: async () => offersIn(await claret.native.register(cell).get()).reduce((sum, { pieces }) => sum + pieces, 0),
    }),
  // It keeps pieces by price, and so knows neither sellers nor a purchase.
  'built-in': async (claret, cell, seed) => {
    const pieces = claret.native.scoredSet(cell);
    return trades(seed, {
      offer: (_, price, more) => pieces.increment(`${price}`, more),
      buy: async (price, most) => {
        await pieces.increment(`${price}`, -most);
        return most;
      },
      onOffer: async () => (await pieces.range(0, PRICES)).reduce((sum, [, score]) => sum + Number(score), 0),
    });
  },
};

interface Offer {
  seller: string;
  price: number;
  pieces: number;
}
const offersIn = (stored: unknown): Offer[] => (stored === null ? [] : (JSON.parse(stored as string) as Offer[]));
