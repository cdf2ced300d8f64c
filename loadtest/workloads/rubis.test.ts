import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { afterEach, describe, expect, it } from 'vitest';
import { key } from '../../apps/rubis/server/model.ts';
import { randomFrom } from '../kit/random.ts';
import { sentAsNatives } from '../kit/sent-as-natives.ts';
import { Rubis, type RubisMix } from './rubis.ts';

let cluster: InProcessCluster;
afterEach(() => cluster.stop());

async function loaded(mix: RubisMix, items = 200): Promise<[Rubis, Claret]> {
  cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const rubis = new Rubis({ mix, items, people: 100 }, randomFrom(5));
  await rubis.load(claret);
  return [rubis, claret];
}

async function runAll(rubis: Rubis, claret: Claret, each = 150): Promise<void> {
  const worker = async () => {
    for (let i = 0; i < each; i++) await rubis.run(claret);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const auctionsOf = ({ auctions }: Rubis) => Array.from({ length: auctions.ranks }, (_, rank) => auctions.at(rank));
const bidsOn = (rubis: Rubis) => auctionsOf(rubis).reduce((sum, { bids }) => sum + bids, 0);

describe('rubis', () => {
  it('begins with ten bids per auction, most of them on the popular ones', async () => {
    const [rubis] = await loaded('read-heavy', 500);
    expect(bidsOn(rubis) / 500).toBeCloseTo(10, 0);
    expect(rubis.auctions.at(0).bids / rubis.auctions.at(9).bids).toBeCloseTo(10, 0);
  });

  it.each(['bid-heavy', 'read-heavy'] as const)('%s keeps every accepted bid while auctions close and others open', async (mix) => {
    const [rubis, claret] = await loaded(mix);
    const [bids, first] = [bidsOn(rubis), new Set(auctionsOf(rubis).map(({ item_id }) => item_id))];
    await runAll(rubis, claret);
    expect(await rubis.mismatches(claret)).toEqual([]);
    expect(bidsOn(rubis) - bids).toBeGreaterThan(mix === 'bid-heavy' ? 300 : 0);
    expect(auctionsOf(rubis).filter(({ item_id }) => !first.has(item_id)).length).toBeGreaterThan(2);
  });

  it('does the same with every operation sent separately', async () => {
    const [rubis] = await loaded('bid-heavy');
    const claret = await cluster.connect({ oneAtATime: true });
    await runAll(rubis, claret, 50);
    expect(await rubis.mismatches(claret)).toEqual([]);
  });

  it('keeps its counts correct without transactions as well', async () => {
    const [rubis, claret] = await loaded('bid-heavy');
    await runAll(rubis, sentAsNatives(claret, { oneAtATime: false }));
    expect((await rubis.mismatches(claret)).filter((text) => !text.includes('closed at'))).toEqual([]);
  });

  it('reports each mismatch once, and checks only new data', async () => {
    const [rubis, claret] = await loaded('bid-heavy', 20);
    await runAll(rubis, claret);
    const [counted, topped] = auctionsOf(rubis).filter(({ unchecked }) => unchecked);
    const wanted = [
      expect.stringContaining(
        `${key.item_bid_count(counted!.item_id)}: expected ${counted!.bids} (0 before, ${counted!.bids} accepted, 0 unknown), found ${counted!.bids + 1}`,
      ),
      expect.stringContaining(
        `${key.item_bids(topped!.item_id)}: expected the highest of ${topped!.highest_cents} cents, found the highest of 1000000000 cents`,
      ),
      expect.stringMatching(/^open:all lists \d+ auctions; open are \d+$/),
    ];
    const { on } = claret;
    await claret.transact('Plant', [
      on.counter(key.item_bid_count(counted!.item_id)).add(1),
      on.topK(key.item_bids(topped!.item_id)).add('a:b:c:d', 10 ** 9),
      on.scoredSet(key.open_all).add('planted', 1),
    ]);
    // Auctions come in the order of their first bids.
    const mismatches = await rubis.mismatches(claret);
    expect(mismatches).toEqual(expect.arrayContaining(wanted));
    expect(mismatches).toHaveLength(wanted.length);
    await runAll(rubis, claret);
    expect(await rubis.mismatches(claret)).toEqual([]);
  });

  it('finds a bid that the closing of its auction missed', async () => {
    const [rubis, claret] = await loaded('bid-heavy', 20);
    const auction = rubis.auctions.takeEnding()!;
    await claret.transact('Plant', [claret.on.topK(key.item_bids(auction.item_id)).add('a:b:c:d', 10 ** 9)]);
    await rubis.close(claret, auction);
    expect((await rubis.mismatches(claret))[0]).toContain(
      `item ${auction.item_id} closed at 1000000000; the highest bid accepted was ${auction.highest_cents}`,
    );
  });
});
