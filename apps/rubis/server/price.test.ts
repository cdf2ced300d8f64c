// The price rule, against a step-by-step simulation of proxy bidding.
import { Random } from '@claret/site/data/random.ts';
import { describe, expect, test } from 'vitest';

import { minNextBid } from './model.ts';
import { byRank, priceOf, reserveOf, shownAmount, determinesPrice, type Bid, type Terms } from './price.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = 1_000;
const START = 1_00;

const bid = (who: string, amount_cents: number, max_cents = amount_cents, placed_at_ms = 0): Bid => ({
  id: `${who}${amount_cents}-${placed_at_ms}`,
  bidder: { id: who, nickname: who },
  placed_at_ms,
  amount_cents,
  max_cents,
});
const ranked = (bids: readonly Bid[]): Bid[] => bids.toSorted(byRank);
const price = (bids: readonly Bid[], terms: Partial<Terms> = {}): number =>
  priceOf({ start_price_cents: START, reserve_price_cents: null, ...terms }, ranked(bids));

// The result of one bidding agent per person, one bid after the other: the leader's agent outbids while it can, and a challenger's goes one
// increment above the leader's exhausted maximum.
class ProxyBidding {
  price = START;
  leader: string | null = null;
  #leaderMax = 0;
  // one increment above the best challenger
  #answered = 0;
  readonly #reserve: number | null;

  constructor(reserve: number | null) {
    this.#reserve = reserve;
  }

  place({ bidder: { id }, amount_cents, max_cents }: Bid): void {
    if (this.leader === null || id === this.leader) {
      // An increment that the old maximum had no room for is made now.
      this.#leaderMax = Math.max(this.#leaderMax, max_cents);
      this.price = Math.max(this.price, amount_cents, Math.min(this.#leaderMax, this.#answered));
      this.leader = id;
    } else if (max_cents > this.#leaderMax) {
      this.#answered = minNextBid(START, this.#leaderMax);
      this.price = Math.min(max_cents, Math.max(amount_cents, this.#answered));
      this.leader = id;
      this.#leaderMax = max_cents;
    } else {
      this.#answered = Math.max(this.#answered, minNextBid(START, max_cents));
      this.price = Math.max(this.price, Math.min(this.#leaderMax, this.#answered));
    }
    const reserve = this.#reserve;
    if (reserve !== null && this.#leaderMax >= reserve) this.price = Math.max(this.price, reserve);
  }

  get raisable(): number {
    return this.#leaderMax;
  }
}

// Bids as the site accepts them, one after the other; some were overtaken before they arrived, some are raises by the leader.
function play(random: Random, reserve: number | null): { bids: Bid[]; simulated: ProxyBidding[] } {
  const auction = new ProxyBidding(reserve);
  const bids: Bid[] = [];
  const prices: ProxyBidding[] = [];
  const people = random.integer(1, 5);
  const count = random.integer(1, 25);
  for (let i = 0; i < count; i++) {
    const who = `p${random.integer(1, people)}`;
    const least = auction.leader === null ? START : minNextBid(START, auction.price);
    const raises = who === auction.leader && random.chance(0.5);
    const late = random.chance(0.2) ? random.integer(0, least - START) : 0;
    const amount = raises ? auction.price : least - late + (random.chance(0.5) ? random.integer(0, 300) : 0);
    const max = raises ? auction.raisable + random.integer(1, 500) : amount + (random.chance(0.5) ? random.integer(0, 1_000) : 0);
    const placed = bid(who, amount, max, i);
    auction.place(placed);
    bids.push(placed);
    prices.push(Object.assign(new ProxyBidding(reserve), { price: auction.price, leader: auction.leader }));
  }
  return { bids, simulated: prices };
}

describe(`The price (seed ${SEED})`, () => {
  test('is the start price, the only bid, or one increment above the rival', () => {
    expect(price([])).toBe(1_00);
    expect(price([bid('a', 2_00)])).toBe(2_00);
    expect(price([bid('a', 2_00, 50_00)])).toBe(2_00);
    expect(price([bid('a', 2_00, 50_00), bid('b', 3_00, 10_00, 1)])).toBe(10_50);
    expect(price([bid('a', 2_00, 10_20), bid('b', 3_00, 10_00, 1)])).toBe(10_20);
    expect(price([bid('a', 2_00, 10_00), bid('b', 10_00, 10_00, 1)])).toBe(10_00);
  });

  test('rises to the reserve as soon as a maximum reaches it, and no maximum below it has that effect', () => {
    const terms = { reserve_price_cents: 20_00 };
    expect(price([bid('a', 2_00, 19_99)], terms)).toBe(2_00);
    expect(price([bid('a', 2_00, 30_00)], terms)).toBe(20_00);
    expect(price([bid('a', 2_00, 30_00), bid('b', 25_00, 25_00, 1)], terms)).toBe(26_00);
    expect(reserveOf({ start_price_cents: START, ...terms }, [bid('a', 2_00, 19_99)])).toBe('not_met');
    expect(reserveOf({ start_price_cents: START, ...terms }, [bid('a', 2_00, 20_00)])).toBe('met');
    expect(reserveOf({ start_price_cents: START, ...terms }, [])).toBe('not_met');
    expect(reserveOf({ start_price_cents: START, reserve_price_cents: null }, [])).toBe('none');
  });

  test('agrees with step-by-step proxy bidding after each bid, with the same leader', () => {
    const random = new Random(SEED, 1);
    for (let round = 0; round < ROUNDS; round++) {
      const reserve = random.chance(0.4) ? random.integer(START, 20_00) : null;
      const { bids, simulated } = play(random, reserve);
      simulated.forEach((expected, i) => {
        const known = ranked(bids.slice(0, i + 1));
        const found = { price: price(known, { reserve_price_cents: reserve }), leader: known[0]?.bidder.id };
        if (found.price === expected.price && found.leader === expected.leader) return;
        expect(found, `seed ${SEED}, round ${round}, bid ${i}`).toEqual({ price: expected.price, leader: expected.leader });
      });
    }
  });

  test('never falls, whatever order the bids arrive in, and never reveals a maximum that was not needed', () => {
    const random = new Random(SEED, 2);
    const broken: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const terms = { reserve_price_cents: random.chance(0.4) ? random.integer(START, 20_00) : null };
      const arriving = random.shuffle([...play(random, terms.reserve_price_cents).bids]);
      let before = 0;
      arriving.forEach((_, i) => {
        const known = ranked(arriving.slice(0, i + 1));
        const now = price(known, terms);
        const shown = known.map((one) => shownAmount(one, now));
        const holds = {
          never_falls: now >= before,
          within_the_leaders_maximum: now <= (known[0]?.max_cents ?? 0),
          shown_up_to_the_price: shown.every((amount) => amount <= now),
          shown_in_order: shown.every((amount, place) => place === 0 || amount <= (shown[place - 1] ?? 0)),
        };
        if (Object.values(holds).includes(false)) broken.push(`round ${round}: ${JSON.stringify({ holds, known, before, now })}`);
        before = now;
      });
    }
    expect(broken).toEqual([]);
  });

  test('follows from every prefix of the bids that determinesPrice accepts', () => {
    const random = new Random(SEED, 3);
    let told = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const bids = ranked(play(random, null).bids);
      for (let asked = 1; asked <= bids.length; asked++) {
        const part = bids.slice(0, asked);
        if (!determinesPrice(part, asked)) continue;
        told++;
        if (price(part) !== price(bids)) expect(price(part), `seed ${SEED}, round ${round}, ${asked} of ${bids.length}`).toBe(price(bids));
      }
    }
    expect(told).toBeGreaterThan(ROUNDS);
  });

  test('needs more bids if all known ones are from one bidder, whatever their maxima', () => {
    expect(determinesPrice([bid('a', 1_00, 9_00)], 1)).toBe(false);
    expect(determinesPrice([bid('a', 1_00, 9_00), bid('a', 1_00, 8_00)], 2)).toBe(false);
    expect(determinesPrice([bid('a', 1_00, 9_00), bid('b', 1_00, 8_00)], 2)).toBe(true);
    // also where the price is determined because the leader has no hidden maximum: that must not show
    expect(determinesPrice([bid('a', 9_00), bid('a', 8_00)], 2)).toBe(false);
    expect(determinesPrice([bid('a', 1_00, 9_00)], 2)).toBe(true);
    expect(
      determinesPrice(
        Array.from({ length: 128 }, () => bid('a', 1_00, 9_00)),
        128,
      ),
    ).toBe(true);
  });

  test('without maxima is the highest bid', () => {
    const random = new Random(SEED, 4);
    for (let round = 0; round < 500; round++) {
      const bids = Array.from({ length: random.integer(1, 30) }, (_, i) =>
        bid(`p${random.integer(1, 5)}`, random.integer(START, 50_00), undefined, i),
      );
      expect(price(bids), `seed ${SEED}`).toBe(Math.max(...bids.map((one) => one.amount_cents)));
      expect(price(ranked(bids).slice(0, 1))).toBe(price(bids));
    }
  });
});
