// The check on the auctions: a correct storm of bids, purchases, openings, closings and comments through two app servers' clients
// passes; each kind of lie, in the ledger or in the store, is found and named.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Description } from '@claret/client';
import { bid } from '../../../../apps/rubis/server/actions/bid.ts';
import { closeAuction } from '../../../../apps/rubis/server/actions/close-auction.ts';
import { bidItem, key, purchaseItem } from '../../../../apps/rubis/server/model.ts';
import { newRequestKey } from '../../../../ui/site/api/requestKeys.ts';
import type { LedgerLine, StormData, StormPerson } from '../storm.ts';
import { check, lookBefore, type Before } from './check.ts';
import { purchaseId } from './request-names.ts';
import { AuctionsStage, ref } from './testing-auctions.ts';
import { acceptedOf, type Stage } from './testing.ts';

let auctions: AuctionsStage;
let stage: Stage;
let data: StormData;
let before: Before;
let people: StormPerson[];
let seller: StormPerson;
let hot: string;
let reserved: string;
let wanted: string;

beforeAll(async () => {
  auctions = await AuctionsStage.start();
  ({ stage, data, people, seller, hot, reserved, wanted } = auctions);
  before = await lookBefore(stage.claret, data);
  await auctions.storm();
});
afterAll(() => stage.stop());

const told = (ledger: readonly unknown[] = stage.ledger, more: object = {}) =>
  check(ledger, stage.claret, data, before, { decided_after_ms: 0, closed_within_ms: 300, ...more });

it('a correct storm passes, with the ledger as JSON and as parsed lines', async () => {
  for (const kind of ['bid', 'buy', 'open', 'comment'] as const) expect(acceptedOf(stage.ledger, kind).length, kind).toBeGreaterThan(1);
  expect(await told()).toEqual([]);
  expect(await told(stage.ledger.map((line) => JSON.stringify(line)))).toEqual([]);
});

/** Runs the operations, checks, and undoes them. */
async function lie(operations: Description<unknown>[], takenBack: Description<unknown>[], ledger?: readonly unknown[]): Promise<string[]> {
  await stage.claret.transact('Lie', operations);
  const found = await told(ledger);
  await stage.claret.transact('Truth', takenBack);
  return found;
}

const infoOf = async (item_id: string, ...fields: string[]) =>
  (await stage.claret.transact('Look', [stage.claret.on.dict(key.item_info(item_id)).get(...fields)]))[0];
const topOf = async (item_id: string) => (await stage.claret.transact('Look', [stage.claret.on.topK(key.item_bids(item_id)).top(128)]))[0];
const without = (line: LedgerLine) => stage.ledger.filter((one) => one !== line);
/** An accepted line whose effect no other line has. */
const alone = <Kind extends 'buy' | 'comment'>(kind: Kind, same: (a: LedgerLine[5], b: LedgerLine[5]) => boolean) =>
  acceptedOf(stage.ledger, kind).find(
    (line) => !stage.ledger.some((one) => one !== line && one[0] === kind && one[4] === line[4] && same(one[5], line[5])),
  )!;

describe('a lie about bids', () => {
  it('an accepted bid that is not listed, although it would be the highest', async () => {
    const [, , , , who, facts] = acceptedOf(stage.ledger, 'bid').find(([, , , , , { item }]) => item === hot)!;
    const line: LedgerLine = ['bid', Date.now(), 1, 'accepted', who, { ...facts, amount: 90_000, max: 95_000, bid_id: 'lostbid' }];
    const [[text, max]] = (await topOf(hot)) as [[string, number]];
    const found = await told([...stage.ledger, line]);
    expect(found[0]).toContain(
      `bids: ${key.item_bids(hot)}: expected bid lostbid of 90000 cents up to 95000 by ${who}, the highest that was accepted, found none; the highest is of`,
    );
    expect(found[0]).toContain(`up to ${max} by ${text.split(':')[2]}`);
  });

  it('a count that is too high or too low', async () => {
    const count = stage.claret.on.counter(key.item_bid_count(hot));
    // Bids of unknown outcome may account for some of the difference.
    for (const by of [-1_000, 1_000]) {
      const found = await lie([count.add(by)], [count.add(-by)]);
      expect(found[0]).toMatch(
        new RegExp(`^bids: \\{item:${hot}\\}:bid_count: expected \\d+ to \\d+ \\(0 before, \\d+ accepted, \\d+ unknown\\), found `),
      );
    }
  });

  it('a bid that nobody made, one that is listed twice, one with another amount', async () => {
    const { on } = stage.claret;
    const item_id = await auctions.open(seller);
    const list = on.topK(key.item_bids(item_id));
    const [who, ...others] = people;
    const line: LedgerLine = ['bid', Date.now(), 1, 'accepted', who!.id, { item: item_id, amount: 500, max: 500, bid_id: 'true' }];
    const bid_of = (id: string, by: StormPerson, placed_at_ms: number) =>
      bidItem({ id, bidder_id: by.id, bidder_nickname: by.name, placed_at_ms });
    const now_ms = Date.now();
    const [[closes_at_ms], ledger] = [
      await infoOf(item_id, 'closes_at_ms'),
      [...stage.ledger, line, ['open', now_ms, 1, 'accepted', seller.id, { item: item_id }]],
    ];
    await stage.claret.transact('Bids', [
      list.add(bid_of('true', who!, now_ms), 500),
      on.counter(key.item_bid_count(item_id)).add(1),
      on.scoredSet(key.bidding(who!.id)).add(item_id, Number(closes_at_ms)),
    ]);
    expect(await told(ledger)).toEqual([]);
    expect(await told([...ledger.slice(0, -2), [...line.slice(0, 5), { ...line[5], amount: 400 }], ledger.at(-1)])).toEqual([
      `bids: ${key.item_bids(item_id)}: expected bid true of 400 cents up to 500 by ${who!.id}, found it of 500 cents up to 500 by ${who!.id}`,
    ]);
    await stage.claret.transact('Lie', [
      list.add(bid_of('true', who!, now_ms + 1), 500),
      list.add(bid_of('made-up', others[0]!, now_ms), 600),
    ]);
    expect(await told(ledger)).toEqual([
      `bids: ${key.item_bids(item_id)}: expected bids of the ledger, found made-up of 600 cents up to 600 by ${others[0]!.id}, which is none`,
      `bids: ${key.item_bids(item_id)}: expected bid true once, found it twice`,
      `bids: ${key.item_bids(item_id)}: expected 1 bids, of 1 counted, found 3`,
    ]);
    await stage.claret.transact('Lie', [on.counter(key.item_bid_count(item_id)).add(1)]);
    expect(await told(ledger)).toContain(`bids: ${key.item_bid_count(item_id)}: expected 1 (0 before, 1 accepted, 0 unknown), found 2`);
    await stage.claret.transact('Lie', [list.add('no bid at all', 1)]);
    expect(await told(ledger)).toContain(`bids: ${key.item_bids(item_id)}: expected bids and purchases, found "no bid at all"`);
    await stage.claret.transact('Hide', unlisted(item_id));
  });

  it('a bid with a lost response that happened twice', async () => {
    const { on } = stage.claret;
    const item_id = await auctions.open(seller);
    const [who] = people;
    const line: LedgerLine = ['bid', Date.now(), 1, 'unknown', who!.id, { item: item_id, amount: 500, max: 500 }];
    const ledger = [...stage.ledger, line, ['open', Date.now(), 1, 'accepted', seller.id, { item: item_id }]];
    const once = (id: string) => [
      on.topK(key.item_bids(item_id)).add(bidItem({ id, bidder_id: who!.id, bidder_nickname: who!.name, placed_at_ms: Date.now() }), 500),
      on.counter(key.item_bid_count(item_id)).add(1),
    ];
    expect(await told(ledger)).toEqual([]);
    await stage.claret.transact('Once', once('one'));
    expect(await told(ledger)).toEqual([]);
    await stage.claret.transact('Twice', once('two'));
    expect(await told(ledger)).toEqual([
      expect.stringMatching(/: expected bids of the ledger, found (one|two) of 500 cents up to 500 by .*, which is none$/),
      `bids: ${key.item_bid_count(item_id)}: expected 0 to 1 (0 before, 0 accepted, 1 unknown), found 2`,
    ]);
    await stage.claret.transact('Hide', unlisted(item_id));
  });

  it("a bid that is missing on the bidder's own list", async () => {
    const [, , , , who] = acceptedOf(stage.ledger, 'bid').find(([, , , , , { item }]) => item === hot)!;
    const list = stage.claret.on.scoredSet(key.bidding(who));
    const closes_at_ms = data.hot_item!.closes_at_ms;
    expect(await lie([list.remove(hot)], [list.add(hot, closes_at_ms)])).toEqual([
      `bids: ${key.bidding(who)}: expected ${hot} at ${closes_at_ms}, found nothing`,
    ]);
  });
});

/** Removes the auction from all lists, so that later tests do not read it. */
const unlisted = (item_id: string): Description<unknown>[] =>
  [
    key.open_all,
    key.open_category('home'),
    key.open_region('ny-albany'),
    key.open_category_region('home', 'ny-albany'),
    key.word('green'),
    key.word('storm'),
    key.word('lantern'),
  ].map((index) => stage.claret.on.scoredSet(index).remove(item_id));

describe('a lie about closings', () => {
  it('a wrong winner, a wrong price, no winner', async () => {
    const { on } = stage.claret;
    const info = on.dict(key.item_info(hot));
    const [winner, price, closed_at_ms] = (await infoOf(hot, 'winner', 'final_price_cents', 'closed_at_ms')) as [string, number, number];
    const other = people.find(({ id }) => id !== winner)!;
    const right = `${winner} won at ${price} cents`;
    const found = await lie([info.set({ winner: other.id })], [info.set({ winner })]);
    expect(found).toEqual([
      `closings: ${key.item_info(hot)}: expected ${right}, found ${other.id} won at ${price} cents`,
      `closings: ${key.won(other.id)}: expected ${hot} at ${closed_at_ms}, found nothing`,
      `closings: ${key.won(winner)}: expected what they won, found ${hot} at ${closed_at_ms}, which ${other.id} won`,
    ]);
    expect(await lie([info.set({ final_price_cents: price + 1 })], [info.set({ final_price_cents: price })])).toEqual([
      `closings: ${key.item_info(hot)}: expected ${right}, found ${winner} won at ${price + 1} cents`,
    ]);
    expect(await lie([info.remove('winner')], [info.set({ winner })])).toContain(
      `closings: ${key.item_info(hot)}: expected ${right}, found nobody won`,
    );
  });

  it('a closing that came too early, one of an open auction, one of an auction that does not exist', async () => {
    const { on } = stage.claret;
    const info = on.dict(key.item_info(reserved));
    const [closed_at_ms, closes_at_ms] = (await infoOf(reserved, 'closed_at_ms', 'closes_at_ms')) as [number, number];
    expect(await lie([info.set({ closed_at_ms: closes_at_ms - 1 })], [info.set({ closed_at_ms })])).toEqual([
      `closings: ${key.item_info(reserved)}: expected it closed at ${closes_at_ms} or later, found at ${closes_at_ms - 1}`,
    ]);
    const shown = data.items.at(-1)!;
    const running = on.dict(key.item_info(shown));
    expect(await lie([running.set({ closed_at_ms: 5 })], [running.remove('closed_at_ms')])).toEqual([
      `closings: ${key.item_info(shown)}: expected no end of an open auction, found winner nobody, price null, closed at 5`,
    ]);
    const lines: LedgerLine[] = [
      ['open', Date.now(), 1, 'accepted', seller.id, { item: 'nowhere' }],
      ['bid', Date.now(), 1, 'unknown', people[0]!.id, { item: 'nobody knows', amount: 1, max: 1 }],
      ['bid', Date.now(), 1, 'accepted', people[0]!.id, { item: 'nothing', amount: 1, max: 1 }],
    ];
    expect(await told([...stage.ledger, ...lines])).toEqual([
      `bids: ${key.item_info('nothing')}: expected an auction on which ${people[0]!.id} bid, found nothing`,
      `closings: ${key.item_info('nowhere')}: expected an auction, found nothing`,
    ]);
  });

  it('a second winner', async () => {
    const [winner] = (await infoOf(hot, 'winner')) as [string];
    const other = people.find(({ id }) => id !== winner)!;
    const list = stage.claret.on.scoredSet(key.won(other.id));
    expect(await lie([list.add(hot, 7)], [list.remove(hot)])).toEqual([
      `closings: ${key.won(other.id)}: expected what they won, found ${hot} at 7, which ${winner} won`,
    ]);
  });

  it('a winner below the reserve', async () => {
    const info = stage.claret.on.dict(key.item_info(reserved));
    const [[text, max]] = (await topOf(reserved)) as [[string, number]];
    const leader = text.split(':')[2]!;
    const found = await lie(
      [info.set({ winner: leader, winner_nickname: 'x', final_price_cents: max })],
      [info.remove('winner', 'winner_nickname', 'final_price_cents')],
    );
    expect(found).toContain(`closings: ${key.item_info(reserved)}: expected nobody won, found ${leader} won at ${max} cents`);
  });

  it('a bid after the end that beats the winner', async () => {
    const { on } = stage.claret;
    const [winner, late] = people as [StormPerson, StormPerson];
    const opened_at_ms = Date.now();
    const closes_at_ms = opened_at_ms + 60;
    const item_id = await auctions.open(seller, { opened_at_ms, closes_at_ms });
    const bidder = { bidder_id: late.id, bidder_nickname: late.name };
    const first = { bidder: ref(winner), amount_cents: 500, max_cents: 900, placed_at_ms: opened_at_ms, bid_id: 'first' };
    await bid(stage.claret, { item_id, ...first });
    await closeAuction(stage.claret, { item_id, now_ms: closes_at_ms });
    const line = (who: StormPerson, amount: number, max: number, bid_id: string): LedgerLine => [
      'bid',
      Date.now(),
      1,
      'accepted',
      who.id,
      { item: item_id, amount, max, bid_id },
    ];
    const ledger = [...stage.ledger, ['open', Date.now(), 1, 'accepted', seller.id, { item: item_id }], line(winner, 500, 900, 'first')];
    expect(await told(ledger)).toEqual([]);
    await stage.claret.transact('Lie', [
      on.topK(key.item_bids(item_id)).add(bidItem({ id: 'late', ...bidder, placed_at_ms: closes_at_ms + 3 }), 1_000),
      on.counter(key.item_bid_count(item_id)).add(1),
      on.scoredSet(key.bidding(late.id)).add(item_id, closes_at_ms),
    ]);
    expect(await told([...ledger, line(late, 1_000, 1_000, 'late')])).toEqual([
      `bids: ${key.item_bids(item_id)}: expected bids until ${closes_at_ms}, found late at ${closes_at_ms + 3}`,
      `closings: ${key.item_info(item_id)}: expected ${late.id} won at 1000 cents, found ${winner.id} won at 500 cents`,
    ]);
    await stage.claret.transact('Hide', [on.scoredSet(key.won(winner.id)).remove(item_id)]);
  });
});

describe('a lie about stock and purchases', () => {
  const purchase = () => alone('buy', (a, b) => (a as { key: string }).key === (b as { key: string }).key);
  const bought = async (item_id: string) =>
    (await stage.claret.transact('Look', [stage.claret.on.scoredSet(key.item_purchases(item_id)).range(0, -1)]))[0];

  it('missing pieces, and surplus pieces', async () => {
    const left = stage.claret.on.boundedCounter(key.item_stock(wanted));
    const found = await lie([left.increment(2)], [left.decrement(2)]);
    expect(found).toContain(`stock: ${key.item_stock(wanted)}: expected 0, of 3 with 3 bought and 0 won, found 2`);
    expect(found).toContain(`closings: ${key.item_info(wanted)}: expected nothing left, since it ended by that, found 2 left`);
    const list = stage.claret.on.scoredSet(key.item_purchases(wanted));
    const [[text, at_ms]] = (await bought(wanted)) as [[string, number]];
    expect(await lie([list.remove(text)], [list.add(text, at_ms)])).toContainEqual(
      expect.stringMatching(new RegExp(`^stock: \\{item:${wanted}\\}:stock: expected [12], of 3 with [12] bought and 0 won, found 0$`)),
    );
  });

  it('a stock below zero', async () => {
    const purchase_id = 'toomany';
    const text = purchaseItem({ purchase_id, buyer_id: people[0]!.id, buyer_nickname: people[0]!.name, quantity: 1 });
    const { on } = stage.claret;
    const list = on.scoredSet(key.item_purchases(wanted));
    // No BoundedCounter can become negative: an oversold stock shows in the purchases.
    expect(await lie([list.add(text, Date.now())], [list.remove(text)])).toEqual(
      expect.arrayContaining(
        [
          `stock: ${key.item_stock(wanted)}: expected -1, of 3 with 4 bought and 0 won, found 0`,
          `stock: ${key.purchase(people[0]!.id, purchase_id)}: expected ${JSON.stringify({ item_id: wanted, buyer_id: people[0]!.id, quantity: 1, price_cents: 700, bought_at_ms: Date.now() }).slice(0, 40)}`,
        ].map((start) => expect.stringContaining(start)),
      ),
    );
  });

  it('an acknowledged purchase that is missing, one that is in no ledger, one with other contents', async () => {
    const line = purchase() as LedgerLine & ['buy', ...unknown[]];
    const [, , , , who, facts] = line;
    const { item, purchase_id, quantity } = facts;
    const asked = { item, key: newRequestKey(Date.now()), quantity: 1 };
    const id = purchaseId(who, asked);
    const lost: LedgerLine = ['buy', Date.now(), 1, 'accepted', who, { ...asked, purchase_id: id }];
    expect(await told([...stage.ledger, lost])).toEqual([`stock: ${key.item_purchases(item)}: expected ${id}: 1 by ${who}, found nothing`]);
    expect(await told(without(line))).toEqual([
      `stock: ${key.item_purchases(item)}: expected purchases of the ledger, found ${purchase_id} by ${who}, which is none`,
    ]);
    const forged = stage.ledger.map((one) => (one === line ? [...one.slice(0, 5), { ...facts, quantity: quantity + 1 }] : one));
    const other = purchaseId(who, { ...facts, quantity: quantity + 1 });
    expect(await told(forged)).toEqual([
      `stock: ${key.item_purchases(item)}: expected purchase ${purchase_id}, as acknowledged, found purchase ${other}`,
      `stock: ${key.item_purchases(item)}: expected ${purchase_id}: ${quantity + 1} by ${who}, found ${quantity} by ${who} of ${item}`,
    ]);
  });

  it('a purchase that happened partially, and one that happened twice', async () => {
    const { on } = stage.claret;
    const [, , , , who, facts] = purchase() as LedgerLine & ['buy', ...unknown[]];
    const [item, purchase_id] = [facts.item, facts.purchase_id!];
    const [text, at_ms] = (await bought(item)).find(([one]) => one.startsWith(`${purchase_id}:`))!;
    const mine = on.scoredSet(key.bought(who));
    expect(await lie([mine.remove(purchase_id)], [mine.add(purchase_id, at_ms)])).toEqual([
      `stock: ${key.bought(who)}: expected ${purchase_id} at ${at_ms}, found nothing`,
    ]);
    const list = on.scoredSet(key.item_purchases(item));
    const twice = await lie([list.add(`${text}0`, at_ms)], [list.remove(`${text}0`)]);
    expect(twice).toContain(`stock: ${key.item_purchases(item)}: expected purchase ${purchase_id} once, found it 2 times`);
    const asked = { item, key: newRequestKey(Date.now()), quantity: 1 };
    const unsure: LedgerLine = ['buy', Date.now(), 1, 'unknown', who, asked];
    const id = purchaseId(who, asked);
    const half = on.dict(key.purchase(who, id));
    expect(await told([...stage.ledger, unsure])).toEqual([]);
    expect(await lie([half.set({ item })], [half.remove('item')], [...stage.ledger, unsure])).toEqual([
      `stock: ${key.item_purchases(item)}: expected ${id}: 1 by ${who}, which has a record, found nothing`,
    ]);
    expect(await lie([mine.add('ghost', Date.now())], [mine.remove('ghost')])).toContainEqual(
      expect.stringMatching(/:bought: expected purchases that an auction lists, found ghost at/),
    );
  });
});

describe('a lie about comments', () => {
  it('a rating without a comment, a missing comment, one in no ledger, one acknowledged twice', async () => {
    const { on } = stage.claret;
    const line = acceptedOf(stage.ledger, 'comment')[0] as LedgerLine & ['comment', ...unknown[]];
    const [, , , , from, { item, about, rating }] = line;
    const terms = `${rating} from ${from} about ${item} on ${about}`;
    const ids = (await stage.claret.transact('Look', [on.scoredSet(key.comments(about)).range(0, -1)]))[0];
    const fields = await stage.claret.transact(
      'Look',
      ids.map(([id]) => on.dict(key.comment(about, id)).get('from', 'item')),
    );
    const [id, at_ms] = ids[fields.findIndex(([who, of]) => who === from && of === item)]!;
    const list = on.scoredSet(key.comments(about));
    const gone = await lie([list.remove(id)], [list.add(id, at_ms)]);
    expect(gone).toHaveLength(2);
    expect(gone[0]).toMatch(/:rating: expected the ratings of the comments \(.*\), found \d+, -?\d+ in all, -?\d to -?\d$/);
    expect(gone[1]).toBe(`comments: ${key.comments(about)}: expected ${terms}, 1 times, found it 0 times`);
    expect(await told(without(line))).toEqual([
      `comments: ${key.comments(about)}: expected comments of the ledger, found ${terms}, which is none`,
    ]);
    expect(await told([...stage.ledger, line])).toEqual([`comments: ${key.comments(about)}: expected ${terms}, 2 times, found it 1 times`]);
    const marks = on.set(key.item_commented(item));
    expect(await lie([marks.remove(`${from}:${about}`)], [marks.add(`${from}:${about}`)])).toEqual([
      `comments: ${key.item_commented(item)}: expected ${from}:${about}, found nothing`,
    ]);
  });

  it('a rating that was added twice', async () => {
    const someone = await auctions.join('rated');
    data.auction_people.push(someone);
    await stage.claret.transact('Lie', [stage.claret.on.summaryBag(key.rating(someone.id)).add(5)]);
    expect(await told()).toEqual([
      `comments: ${key.rating(someone.id)}: expected the ratings of the comments (none), found 1, 5 in all, 5 to 5`,
    ]);
    data.auction_people.pop();
  });
});

describe('a lie about lists', () => {
  it('an open auction missing in an index, a closed one that is listed, one in a wrong index', async () => {
    const { on } = stage.claret;
    const shown = data.items.at(-1)!;
    const [closes_at_ms] = (await infoOf(shown, 'closes_at_ms')) as [number];
    const words = on.scoredSet(key.word('lantern'));
    expect(await lie([words.remove(shown)], [words.add(shown, closes_at_ms)])).toEqual([
      `indexes: word:lantern: expected ${shown} at ${closes_at_ms}, found nothing`,
    ]);
    const homes = on.scoredSet(key.open_category('home'));
    expect(await lie([homes.add(hot, 5)], [homes.remove(hot)])).toEqual([
      `indexes: open:category:home: expected no ${hot}, which is closed, found it at 5`,
    ]);
    const books = on.scoredSet(key.open_category('books'));
    expect(await lie([books.add(shown, closes_at_ms)], [books.remove(shown)])).toEqual([
      `indexes: open:category:books: expected auctions that belong there, found ${shown}: Green storm lantern (home, ny-albany)`,
    ]);
    const selling = on.scoredSet(key.selling(seller.id));
    expect(await lie([selling.remove(hot)], [selling.add(hot, data.hot_item!.closes_at_ms)])).toEqual([
      `indexes: ${key.selling(seller.id)}: expected ${hot} at ${data.hot_item!.closes_at_ms}, found nothing`,
    ]);
  });
});

describe('a lie about the ledger and the end', () => {
  it('a line that cannot be read', async () => {
    const lines = [
      '[not json',
      JSON.stringify(['bid', 1, 1, 'accepted', 'u1', { item: 'i1', max: 1 }]),
      JSON.stringify(['bought', 1, 1, 'accepted', 'u1', {}]),
      JSON.stringify(['bid', 1, 1, 'perhaps', 'u1', {}]),
    ];
    const first = stage.ledger.length + 1;
    expect(await told([...stage.ledger, ...lines])).toEqual([
      `ledger: line ${first}: expected six members, found [not json`,
      `ledger: line ${first + 1}: expected amount (number), found ${lines[1]}`,
      `ledger: line ${first + 2}: expected a known kind, found ${lines[2]}`,
      `ledger: line ${first + 3}: expected a known outcome, found ${lines[3]}`,
    ]);
  });

  it('of many findings of one kind ten are reported', async () => {
    const found = await told([...stage.ledger, ...Array.from({ length: 25 }, () => '?')]);
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toBe('ledger: and 15 more');
  });

  it('an auction that is still open after its end', async () => {
    const item_id = await auctions.open(seller, { closes_at_ms: Date.now() - 1 });
    data.items.push(item_id);
    expect(await told()).toEqual([
      expect.stringMatching(
        new RegExp(`^closings: \\{item:${item_id}\\}:info: expected it closed: its time was over at \\d+, found it open$`),
      ),
    ]);
    await auctions.close(item_id);
  });

  it('the check waits for an auction that is about to be closed', async () => {
    const item_id = await auctions.open(seller, { closes_at_ms: Date.now() + 300 });
    data.hot_item = { id: item_id, closes_at_ms: Date.now() + 300, start_price_cents: 100 };
    data.items.push(hot, item_id);
    setTimeout(() => void auctions.close(item_id), 500);
    expect(await told(stage.ledger, { closed_within_ms: 60_000 })).toEqual([]);
  });

  it('after all lies the restored data passes', async () => {
    expect(await told()).toEqual([]);
  });
});
