// NewUser, ViewUser and NewComment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { startWorld, type World } from '../testing/world.ts';
import { closeAuction } from './close-auction.ts';
import { findAccount } from './find-account.ts';
import { newComment, type NewCommentInput } from './new-comment.ts';
import { newUser } from './new-user.ts';
import { viewSale } from './sale.ts';
import { viewAuction } from './view-auction.ts';
import { viewUser } from './view-user.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

async function pageOf(user_id: string) {
  const viewed = await viewUser(world.claret, { user_id, now_ms: Date.now() });
  if (viewed.refused !== null) throw new Error(viewed.refused);
  return viewed.page;
}

describe('NewUser', () => {
  test('gives a nickname to one of many people who want it at once, whatever its case', async () => {
    const servers = [world.claret, await world.cluster.connect()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        newUser(servers[i % 2] ?? world.claret, {
          nickname: i % 3 === 0 ? 'WANTED' : 'wanted',
          region_id: 'tx-austin',
          credentials: null,
          created_at_ms: Date.now(),
        }),
      ),
    );
    const winners = answers.filter((answer) => answer.refused === null);
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => answer.refused === 'nickname_taken')).toHaveLength(19);
    const account = await findAccount(world.claret, { nickname: 'Wanted' });
    expect(account?.person.id).toBe(winners[0]?.refused === null ? winners[0].user_id : '');
  });

  test('gives different people different ids', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, (_, i) => world.person(`many_${i}`)));
    expect(new Set(people.map((person) => person.id)).size).toBe(40);
  });
});

describe('ViewUser', () => {
  test('shows the items that a person sells, without ended ones', async () => {
    const seller = await world.person('viewed');
    const open = await world.auction(seller);
    await world.auction(seller, { closes_at_ms: Date.now() - 1 });
    const page = await pageOf(seller.id);
    expect(page.user).toMatchObject({ id: seller.id, nickname: 'viewed', region_id: 'ny-albany' });
    expect(page.selling.map((card) => card.id)).toEqual([open]);
    expect(page.rating).toEqual({ count: 0, mean: null, min: null, max: null });
  });

  test('refuses an unknown person', async () => {
    expect(await viewUser(world.claret, { user_id: 'nobody', now_ms: Date.now() })).toEqual({ refused: 'unknown_user' });
  });
});

describe('NewComment', () => {
  async function sale(name: string): Promise<{ item_id: string; seller: UserRef; winner: UserRef }> {
    const [seller, winner] = [await world.person(`s_${name}`), await world.person(`w_${name}`)];
    const closes_at_ms = Date.now() + 60_000;
    const item_id = await world.auction(seller, { closes_at_ms });
    await world.bids(item_id, winner, 3_00);
    await closeAuction(world.claret, { item_id, now_ms: closes_at_ms });
    return { item_id, seller, winner };
  }
  const comment = (input: Pick<NewCommentInput, 'item_id' | 'from' | 'rating'> & Partial<NewCommentInput>) =>
    newComment(world.claret, { text: 'Thank you', created_at_ms: Date.now(), about: { party_id: null }, ...input });

  test('adds its own rating, not the running total', async () => {
    const { item_id, winner } = await sale('own');
    const someone = await world.person('rated');
    for (const rating of [5, 3, -5]) {
      await comment({ item_id, from: winner, rating, about: { user_id: someone.id }, created_at_ms: Date.now() });
    }
    const { rating, comments } = await pageOf(someone.id);
    expect(rating).toEqual({ count: 3, mean: 1, min: -5, max: 5 });
    expect(comments.map((one) => one.rating).toSorted((a, b) => a - b)).toEqual([-5, 3, 5]);
  });

  test('lets winner and seller comment on each other, once each, also when they try twice at once', async () => {
    const { item_id, seller, winner } = await sale('pair');
    const tries = await Promise.all([1, 2, 3].map(() => comment({ item_id, from: winner, rating: 5 })));
    expect(tries.filter((one) => one.refused === null)).toMatchObject([{ about: seller }]);
    expect(tries.filter((one) => one.refused === 'already_commented')).toHaveLength(2);
    expect(await comment({ item_id, from: seller, rating: 4 })).toMatchObject({ refused: null, about: winner });
    const { rating, comments } = await pageOf(seller.id);
    expect(rating.count).toBe(1);
    expect(comments).toMatchObject([{ from: winner, rating: 5, text: 'Thank you', item_title: 'Green Lamp' }]);
  });

  test('goes by what the sale is, whatever its author has seen of it, and needs no second attempt if that was right', async () => {
    const [seller, one, two] = [await world.person('s_seen'), await world.person('b_one'), await world.person('b_two')];
    const item_id = await world.auction(seller, { quantity: 5, buy_now_price_cents: 7_00 });
    const look = async () => {
      const viewed = await viewAuction(world.claret, { item_id });
      if (viewed.refused !== null) throw new Error(viewed.refused);
      const { info } = viewed.auction;
      return { info, purchases: (await viewSale(world.claret, { item_id, info })).purchases };
    };
    const none = await look();
    for (const buyer of [one, two]) await world.buys(item_id, buyer);
    const seen = await look();
    const { retries } = world.claret.counters;
    expect(await comment({ item_id, from: seller, rating: 3, about: { party_id: one.id }, seen })).toMatchObject({ about: one });
    expect(world.claret.counters.retries).toBe(retries);
    expect(await comment({ item_id, from: two, rating: 4, seen: none })).toMatchObject({ refused: null, about: seller });
    const lie = { ...seen, info: { ...seen.info, title: 'Red Lamp', seller: two } };
    expect(await comment({ item_id, from: one, rating: 5, seen: lie })).toMatchObject({ refused: null, about: seller });
    expect(await comment({ item_id, from: one, rating: 5, seen })).toEqual({ refused: 'already_commented' });
    const { comments } = await pageOf(seller.id);
    expect(comments.map(({ item_title }) => item_title)).toEqual(['Green Lamp', 'Green Lamp']);
  });

  test('is refused before the end, from strangers, and about unknown items', async () => {
    const { item_id } = await sale('refused');
    const [seller, stranger] = [await world.person('s_open'), await world.person('stranger')];
    const open = await world.auction(seller);
    expect(await comment({ item_id: open, from: seller, rating: 5 })).toEqual({ refused: 'auction_open' });
    expect(await comment({ item_id, from: stranger, rating: 5 })).toEqual({ refused: 'not_a_party' });
    expect(await comment({ item_id: 'none', from: stranger, rating: 5 })).toEqual({ refused: 'unknown_item' });
    expect((await pageOf(stranger.id)).rating.count).toBe(0);
  });
});
