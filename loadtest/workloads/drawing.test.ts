// The drawn numbers follow the distributions of the paper.

import { describe, expect, it } from 'vitest';
import { Auctions, EPOCH_MS, type Auction } from './auctions.ts';
import { kronecker } from '../../apps/retwis/server/data/graph.ts';
import { randomFrom } from '../kit/random.ts';
import { RETWIS_MIXES, type RetwisKind } from './retwis-mixes.ts';
import { Retwis } from './retwis.ts';
import { RUBIS_MIXES, Rubis, type RubisKind } from './rubis.ts';
import { Weighted } from './weighted.ts';
import { Zipf } from './zipf.ts';

const DRAWS = 100_000;

/** The shares of DRAWS draws, in percent. */
function shares<Kind extends string>(draw: () => Kind): Record<Kind, number> {
  const counts = {} as Record<Kind, number>;
  for (let i = 0; i < DRAWS; i++) {
    const kind = draw();
    counts[kind] = (counts[kind] ?? 0) + 100 / DRAWS;
  }
  return counts;
}

describe('a weighted draw', () => {
  it('draws each item by its weight, and never an item of weight 0', () => {
    const random = randomFrom(1);
    const weighted = new Weighted(Float64Array.of(0, 3, 0, 1, 0));
    const drawn = shares(() => String(weighted.draw(random())));
    expect(Object.keys(drawn).sort()).toEqual(['1', '3']);
    expect(drawn['1']).toBeCloseTo(75, 0);
    weighted.weigh(Float64Array.of(1, 0, 0, 0, 0));
    expect(weighted.draw(0)).toBe(0);
    expect(weighted.draw(1 - 2 ** -32)).toBe(0);
  });

  it('has a Zipf distribution with exponent alpha, uniform for alpha 0', () => {
    const of = (alpha: number) => {
      const random = randomFrom(1);
      const zipf = new Zipf(10, alpha);
      const drawn = shares(() => String(zipf.draw(random())));
      return Array.from({ length: 10 }, (_, rank) => drawn[rank]!);
    };
    const skewed = of(1.4);
    expect(skewed[0]! / skewed[1]!).toBeCloseTo(2 ** 1.4, 0);
    expect(skewed[0]! / skewed[9]!).toBeGreaterThan(20);
    for (const share of of(0)) expect(share / 10).toBeCloseTo(1, 1);
  });
});

describe('transactions', () => {
  it('of rubis have the shares in the paper', () => {
    for (const [mix, [look, bid, turnOver, comment, people]] of [
      ['bid-heavy', [52, 45, 1, 1, 1]],
      ['read-heavy', [82, 10, 4, 2, 2]],
    ] as const) {
      expect(Object.values(RUBIS_MIXES[mix]).reduce<number>((sum, share) => sum + share, 0)).toBe(100);
      const rubis = new Rubis({ mix, items: 10 }, randomFrom(2));
      const drawn = shares<RubisKind>(() => rubis.draw());
      expect(drawn.view_auction + drawn.browse).toBeCloseTo(look, 0);
      expect(drawn.bid).toBeCloseTo(bid, 0);
      expect(drawn.open_or_close).toBeCloseTo(turnOver, 0);
      expect(drawn.comment).toBeCloseTo(comment, 0);
      expect(drawn.new_user + drawn.view_user).toBeCloseTo(people, 0);
    }
  });

  it('of the mixes 40:1 read forty times for each change', () => {
    const { view_auction, browse, view_user, ...changes } = RUBIS_MIXES['40:1'];
    const { timeline, ...changesOfRetwis } = RETWIS_MIXES['40:1'];
    for (const [reads, others] of [
      [[view_auction, browse, view_user], changes],
      [[timeline], changesOfRetwis],
    ] as const) {
      const sum = (shares: readonly number[]) => shares.reduce((all, share) => all + share, 0);
      expect(sum(reads) / sum(Object.values(others))).toBeCloseTo(40, 1);
      expect(sum(reads) + sum(Object.values(others))).toBeCloseTo(100, 9);
    }
  });

  it('of retwis but reposts, which follow from timelines, have the shares of the paper', () => {
    const graph = kronecker(4, randomFrom(1));
    for (const mix of ['post-heavy', 'read-heavy'] as const) {
      const retwis = new Retwis(graph, mix, randomFrom(2));
      const drawn = shares<RetwisKind>(() => retwis.draw());
      const scale = (100 - RETWIS_MIXES[mix].repost) / 100;
      for (const kind of ['timeline', 'post', 'follow', 'new_user'] as const)
        expect(drawn[kind] * scale).toBeCloseTo(RETWIS_MIXES[mix][kind], 0);
    }
  });
});

describe('auctions', () => {
  const RISE_MS = 1_000;
  const auctionsAt = (nowMs: () => number, ends: readonly number[]) => {
    const auctions = new Auctions(ends.length, RISE_MS, randomFrom(3), nowMs);
    ends.forEach((after_ms, rank) => {
      const auction: Auction = {
        item_id: `i${rank}`,
        rank,
        closes_at_ms: EPOCH_MS + after_ms,
        category: 0,
        region: 0,
        bids: 0,
        highest_cents: 0,
        unchecked: false,
      };
      auctions.put(auction);
    });
    auctions.order();
    return auctions;
  };

  it('are drawn by popularity if all end at the same time', () => {
    const auctions = auctionsAt(
      () => EPOCH_MS,
      Array.from({ length: 100 }, () => 5_000),
    );
    const drawn = shares(() => auctions.wanted().item_id);
    expect(drawn.i0! / drawn.i1!).toBeCloseTo(2, 0);
    expect(drawn.i0! / drawn.i4!).toBeCloseTo(5, 0);
  });

  it('are drawn more often by a factor of e with each rise towards their end, and not after it', () => {
    let now_ms = EPOCH_MS;
    const auctions = auctionsAt(() => now_ms, [10_000, ...Array.from({ length: 50 }, () => 1_000_000)]);
    const others = Array.from({ length: 50 }, (_, i) => 1 / (i + 2)).reduce((sum, weight) => sum + weight, 0);
    const expected = (left_ms: number) => {
      const weight = Math.max(0.05, Math.exp(-left_ms / RISE_MS));
      return (100 * weight) / (weight + 0.05 * others);
    };
    for (const at_ms of [0, 8_000, 9_000, 9_900]) {
      now_ms = EPOCH_MS + at_ms;
      expect(shares(() => auctions.wanted().item_id).i0).toBeCloseTo(expected(10_000 - at_ms), -1);
    }
    now_ms = EPOCH_MS + 10_000;
    expect(shares(() => auctions.wanted().item_id).i0).toBeUndefined();
  });

  it('end one after another, and without a clock time advances with them', () => {
    const auctions = new Auctions(3, RISE_MS, randomFrom(3), null);
    [30, 10, 20].forEach((after_ms, rank) =>
      auctions.put({
        item_id: `i${rank}`,
        rank,
        closes_at_ms: EPOCH_MS + after_ms,
        category: 0,
        region: 0,
        bids: 0,
        highest_cents: 0,
        unchecked: false,
      }),
    );
    auctions.order();
    expect(auctions.nowMs()).toBe(EPOCH_MS);
    const first = auctions.takeEnding()!;
    expect([first.item_id, auctions.nowMs()]).toEqual(['i1', EPOCH_MS + 10]);
    expect(auctions.takeEnding()!.item_id).toBe('i2');
    auctions.putBack(first);
    expect([auctions.takeEnding(), auctions.takeEnding()].map((auction) => auction!.item_id)).toEqual(['i1', 'i0']);
    expect(auctions.nowMs()).toBe(EPOCH_MS + 30);
    expect(auctions.takeEnding()).toBeUndefined();
  });
});
