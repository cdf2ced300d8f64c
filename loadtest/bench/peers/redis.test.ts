import { inProcessCluster } from '@claret/client/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { key } from '../../../apps/rubis/server/model.ts';
import { randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import { Rubis, RUBIS_ACTIONS, type RubisSite } from '../../workloads/rubis.ts';
import { rawmixByBareMulti, rawmixByLua, rawmixByMulti, rawmixByWatch } from './redis-rawmix.ts';
import { rubisByLua } from './redis-rubis-lua.ts';
import { rubisByWatch } from './redis-rubis-watch.ts';
import { HOW_TO_INSTALL, redisVersion, withRedis } from '../../kit/redis-server.ts';
import { RedisStore } from './redis-store.ts';

const CLIENTS = 8;
const absent = redisVersion() === null;

async function inParallel(each: number, run: () => Promise<unknown>): Promise<void> {
  const client = async () => {
    for (let i = 0; i < each; i++) await run();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

describe.skipIf(absent)(`against a redis-server${absent ? `: skipped, ${HOW_TO_INSTALL}` : ''}`, () => {
  let store: RedisStore;
  let stop = () => {};
  let stopped: Promise<void>;
  beforeAll(async () => {
    const running = new Promise<void>((resolve) => (stop = resolve));
    await new Promise<void>((ready, failed) => {
      stopped = withRedis(async ({ port }) => {
        store = await RedisStore.connect({ port, isolated: CLIENTS, isBare: true });
        ready();
        await running;
        await store.close();
      });
      stopped.catch(failed);
    });
  });
  afterAll(async () => {
    stop();
    await stopped;
  });

  test('an optimistic transaction is repeated if its reads have changed', async () => {
    const before = store.aborts;
    await inParallel(20, () =>
      store.optimistic(async (connection) => {
        const [, value] = await Promise.all([connection.watch('n'), connection.get('n')]);
        await connection
          .multi()
          .set('n', Number(value) + 1)
          .exec();
      }),
    );
    expect(await store.shared.get('n')).toBe(String(CLIENTS * 20));
    expect(store.aborts).toBeGreaterThan(before);
  });

  test.each([
    ['MULTI', rawmixByMulti],
    ['bare MULTI', rawmixByBareMulti],
    ['Lua', rawmixByLua],
    ['WATCH', rawmixByWatch],
  ])('rawmix by %s stores every acknowledged add, and no other', async (name, run) => {
    const rawmix = new Rawmix({ alpha: 1, update: 0.5, name, sets: 10 }, randomFrom(3));
    const before = store.aborts;
    await inParallel(50, async () => {
      const drawn = rawmix.draw(store);
      await run(store, drawn.operations);
      rawmix.committed(drawn);
    });
    expect(await rawmix.mismatches(store)).toEqual([]);
    expect(rawmix.added.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600);
    expect(store.aborts > before).toBe(name === 'WATCH');
    await store.shared.sAdd(`${name}:3`, 'from nowhere');
    expect(await rawmix.mismatches(store)).toHaveLength(1);
  });

  test.each([
    ['Lua', rubisByLua],
    ['WATCH', rubisByWatch],
  ])('rubis by %s keeps every accepted bid while auctions close and others open', async (_name, site) => {
    await store.shared.flushAll();
    const rubis = new Rubis({ mix: 'bid-heavy', items: 100, people: 50 }, randomFrom(5), site);
    await rubis.load(store);
    const first = rubis.auctions.at(0);
    const bids = first.bids;
    await inParallel(100, () => rubis.run(store));
    expect(await rubis.mismatches(store)).toEqual([]);
    expect(rubis.auctions.at(0) !== first || first.bids > bids).toBe(true);
    await inParallel(60, () => rubis.run(store, 'bid'));
    await store.shared.incr(key.item_bid_count(rubis.auctions.at(0).item_id));
    expect((await rubis.mismatches(store)).join()).toContain(rubis.auctions.at(0).item_id);
  });

  test("the auctions' transactions return the same as the site's own", async () => {
    const cluster = await inProcessCluster({ shards: 1 });
    const answers = [await answersOf(RUBIS_ACTIONS, await cluster.connect())];
    await cluster.stop();
    for (const site of [rubisByLua, rubisByWatch]) {
      await store.shared.flushAll();
      answers.push(await answersOf(site, store));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});

/** The results of a sequence of transactions that covers every outcome; names that the store assigns are replaced by fixed ones. */
async function answersOf<Store>(site: RubisSite<Store>, store: Store): Promise<unknown> {
  const joining = { nickname: 'Ann', region_id: 'r0', credentials: null, created_at_ms: 1 };
  // Other users first, so that no item has the id of a user.
  for (const nickname of ['first', 'second', 'third']) await site.newUser(store, { ...joining, nickname });
  const ann = await site.newUser(store, joining);
  if (ann.refused !== null) throw new Error(ann.refused);
  const names: [id: string, name: string][] = [];
  const seller = { id: 'seller', nickname: 'seller' };
  const open = async (name: string, closes_at_ms: number) => {
    const { item_id } = await site.openAuction(store, {
      title: 'Red Kites',
      description: 'Two of them.',
      category_id: 'c1',
      region_id: 'r1',
      seller,
      start_price_cents: 100,
      opened_at_ms: 1,
      closes_at_ms,
    });
    names.push([item_id, name]);
    return item_id;
  };
  const [item, other] = [await open('item', 100), await open('other', 50)];
  const bid = (bidder_id: string, amount_cents: number, placed_at_ms: number, item_id = item) =>
    site.bid(store, {
      item_id,
      bidder: { id: bidder_id, nickname: bidder_id },
      amount_cents,
      placed_at_ms,
      bid_id: `${bidder_id}${placed_at_ms}`,
    });
  const close = (now_ms: number, item_id = item) => site.closeAuction(store, { item_id, now_ms });
  const comment = (item_id: string) =>
    site.newComment(store, {
      item_id,
      from: seller,
      about: { user_id: ann.user_id },
      rating: 4,
      text: 'Fine.',
      created_at_ms: 7,
      comment_id: 'c',
    });
  const shown = {
    taken: await site.newUser(store, joining),
    bids: [
      await bid('bob', 150, 10),
      await bid('eve', 150, 5),
      await bid('bob', 120, 11),
      await bid('bob', 99, 12),
      await bid('seller', 500, 12),
      await bid('bob', 200, 100),
      await bid('bob', 200, 1, 'nothing'),
    ],
    commented: [await comment(item), await comment('nothing')],
    viewed: [
      await site.viewAuction(store, { item_id: item }),
      await site.viewAuction(store, { item_id: other }),
      await site.viewAuction(store, { item_id: 'nothing' }),
    ],
    browsed: [
      await site.browse(store, { category_id: 'c1', region_id: null, now_ms: 1, after: null }),
      await site.browse(store, { category_id: 'c1', region_id: 'r1', now_ms: 60, after: null }),
      await site.browse(store, { category_id: 'c2', region_id: null, now_ms: 1, after: null }),
    ],
    closed: [await close(99), await close(100), await close(101), await close(100, other), await close(100, 'nothing')],
    late: await bid('bob', 900, 20),
    afterwards: [
      await site.viewAuction(store, { item_id: item }),
      await site.browse(store, { category_id: null, region_id: null, now_ms: 1, after: null }),
    ],
    users: [await site.viewUser(store, { user_id: ann.user_id, now_ms: 1 }), await site.viewUser(store, { user_id: 'nobody', now_ms: 1 })],
  };
  return JSON.parse(
    [...names, [ann.user_id, 'ann'] as const].reduce((text, [id, name]) => text.replaceAll(`"${id}"`, `"${name}"`), JSON.stringify(shown)),
  );
}
