// OrderBook: offers at a price, and buyers who take the cheapest first. Its state is a list of the application's own shape, and its code goes over that.

import { choose, defineType, integer, least, shape, text, using, value } from '@claret/client/types';

const price = integer('per piece, at least 1');
const Offer = shape.record({ seller: shape.text, price: shape.integer, pieces: shape.integer });
const Taken = shape.record({ wanted: shape.integer, offers: shape.list(Offer) });

export const OrderBook = defineType({
  name: 'OrderBook',
  version: 1,
  meaning: 'Offers of one product, the cheapest first. Those who offer at different prices do not wait for each other.',
  state: { offers: value(shape.list(Offer), []) },
  operations: {
    offer: {
      meaning: 'Offers pieces at a price.',
      parameters: { seller: text('who'), price, pieces: integer('how many, 1 to 1,000,000') },
      require: (_, args) => [
        args.price.atLeast(1).orRefuse('price', 'a price is at least 1'),
        args.pieces.atLeast(1).and(args.pieces.atMost(1_000_000)).orRefuse('pieces', '1 to 1,000,000 pieces are offered'),
      ],
      write: ({ offers }, args) => [offers.update((old) => old.append(Offer.of(args)).sortBy((offer) => offer.price))],
    },
    buy: {
      meaning: 'Takes pieces from the cheapest offers up to a price; answers how many there were.',
      parameters: { price, pieces: integer('how many at most, from 1') },
      result: integer(),
      require: (_, { pieces }) => [pieces.atLeast(1).orRefuse('pieces', 'at least 1 piece is bought')],
      answer: ({ offers }, args) =>
        least(
          args.pieces,
          offers.get().sum((offer) => choose(offer.price.atMost(args.price), offer.pieces, 0)),
        ),
      // The answer is what the cheapest offers have, so it is taken from them in their order.
      write: ({ offers }, _, bought) => [
        offers.update(
          (old) =>
            old.fold(Taken.of({ wanted: bought, offers: [] }), (taken, offer) =>
              using(least(taken.wanted, offer.pieces), (now) =>
                Taken.of({
                  wanted: taken.wanted.minus(now),
                  offers: choose(now.is(offer.pieces), taken.offers, taken.offers.append(offer.with({ pieces: offer.pieces.minus(now) }))),
                }),
              ),
            ).offers,
        ),
      ],
    },
    onOffer: {
      meaning: 'How many pieces there are up to a price.',
      parameters: { price },
      result: integer(),
      answer: ({ offers }, args) =>
        offers
          .get()
          .filter((offer) => offer.price.atMost(args.price))
          .sum((offer) => offer.pieces),
    },
  },
  commutes: [
    { first: 'offer', second: 'offer', when: (one, other) => one.arguments.price.isNot(other.arguments.price) },
    { first: 'offer', second: 'onOffer', when: (offer, asked) => offer.arguments.price.greaterThan(asked.arguments.price) },
  ],
});
