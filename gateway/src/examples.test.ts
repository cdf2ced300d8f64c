// The example types of the client in clusters of real gateways: many callers at once, and records that outlive a kill, a backup and a move.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { Leaderboard } from '../../client/src/types/examples/leaderboard.ts';
import { OrderBook } from '../../client/src/types/examples/order-book.ts';
import { RateLimiter } from '../../client/src/types/examples/rate-limiter.ts';
import { SeatMap } from '../../client/src/types/examples/seat-map.ts';
import { restoreBackup } from './backup/restore.ts';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster, TestClusterOptions } from './testing/cluster.ts';
import { installAt, ofExamples } from './testing/examples.ts';
import { startProcess, untilReady } from './testing/process.ts';

const SOON = { interval: 20 };
const PATIENT_MS = 60_000;
/** Leaves processors to what is tested. */
const LOAD_PAUSE_MS = 10;
/** Shorter than the transaction around it. */
const INNER_MS = 20_000;

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claret-examples-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function clientOf(...addresses: string[]): Promise<Claret> {
  const claret = await connect({ addresses, timeoutMs: PATIENT_MS });
  closing.push(() => claret.close(0));
  return claret;
}

async function start(shards: number, options: TestClusterOptions = {}, folder?: string): Promise<{ cluster: TestCluster; claret: Claret }> {
  const cluster = await startCluster(shards, options, folder);
  closing.push(() => cluster.close());
  return { cluster, claret: await clientOf(...cluster.gateways.map(({ member }) => member.grpc)) };
}

const install = (cluster: TestCluster) => installAt(`http://${cluster.gateways.at(-1)!.member.rest}`);

describe('many callers at once', () => {
  let cluster: TestCluster;
  let claret: Claret;
  beforeAll(async () => {
    cluster = await startCluster(2);
    await install(cluster);
    claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc), timeoutMs: PATIENT_MS });
  });
  afterAll(async () => {
    await claret.close(0);
    await cluster.close();
  });

  const SEATS = Array.from({ length: 30 }, (_, i) => `A${i}`);

  test('of 100 guests of a hall no two get one seat, and free and reserved seats are as many at all times', async () => {
    const { on, native } = claret;
    await native.of(SeatMap, 'hall').open('A', SEATS.length);
    let isOver = false;
    const looks: (string | null)[][] = [];
    const watch = (async () => {
      while (!isOver) {
        const hall = on.of(SeatMap, 'hall');
        const [left, ...guests] = await claret.transact('Look', [hall.left('A'), ...SEATS.map((seat) => hall.guest(seat))]);
        expect(Number(left) + guests.filter((guest) => guest !== null).length).toBe(SEATS.length);
        looks.push(guests as (string | null)[]);
      }
    })();
    const book = async (guest: string, seat: string, way: number): Promise<unknown> => {
      const reserve = () => [on.of(SeatMap, 'hall').reserve('A', seat, guest)];
      if (way === 0) return claret.transact('Book', reserve());
      if (way === 1) return native.of(SeatMap, 'hall').reserve('A', seat, guest);
      return claret.transaction('Book', async (tx) => {
        if (way === 3) await tx.of(SeatMap, 'hall').atLeast('A', 1);
        tx.of(SeatMap, 'hall').reserve('A', seat, guest);
      });
    };
    const attempts = Array.from({ length: 100 }, async (_, i) => {
      const [guest, seat] = [`guest-${i}`, SEATS[(i * 7) % SEATS.length]!];
      const code = await book(guest, seat, i % 4).then(
        () => 'booked',
        (error: { code: string }) => error.code,
      );
      return { guest, seat, code };
    });
    const bookings = await Promise.all(attempts);
    isOver = true;
    await watch;
    const booked = bookings.filter(({ code }) => code === 'booked');
    expect(new Set(bookings.map(({ code }) => code))).toEqual(new Set(['booked', 'SeatMap.taken']));
    expect(booked.map(({ seat }) => seat).toSorted()).toEqual(SEATS.toSorted());
    const hall = native.of(SeatMap, 'hall');
    for (const { guest, seat } of booked) expect(await hall.guest(seat)).toBe(guest);
    expect(await hall.left('A')).toBe(0);
    // A seat that has a guest keeps them.
    SEATS.forEach((_, seat) => {
      const seen = looks.map((guests) => guests[seat]!);
      expect(new Set(seen.slice(seen.findIndex((guest) => guest !== null))).size).toBe(1);
    });
    await hall.open('A', 0);
    await expect(hall.reserve('A', 'A30', 'late')).rejects.toMatchObject({ code: 'below_bound', retryable: false });
  });

  test('a seat that is taken is refused at the first attempt, and nothing of the transaction happens', async () => {
    const [hall, other] = [cluster.keyOn(0, 'hall'), cluster.keyOn(1, 'money')];
    await claret.transact('Open', [claret.on.of(SeatMap, hall).open('A', 2)]);
    await claret.transact('Book', [claret.on.of(SeatMap, hall).reserve('A', 'A1', 'ann')]);
    const refused = { code: 'SeatMap.taken', retryable: false, retries: 0, message: `SeatMap.reserve ${hall}: the seat is taken` };
    let runs = 0;
    const book = claret.transaction('Book', (tx) => {
      runs++;
      tx.counter(other).add(1);
      tx.of(SeatMap, hall).reserve('A', 'A1', 'bob');
    });
    await expect(book).rejects.toMatchObject(refused);
    expect(runs).toBe(1);
    await expect(
      claret.transact('Book', [claret.on.counter(other).add(1), claret.on.of(SeatMap, hall).reserve('A', 'A1', 'bob')]),
    ).rejects.toMatchObject(refused);
    await expect(claret.native.of(SeatMap, hall).giveBack('A', 'A2')).rejects.toMatchObject({ code: 'SeatMap.free' });
    expect(await claret.transact('Look', [claret.on.counter(other).value(), claret.on.of(SeatMap, hall).left('A')])).toEqual([0, 1]);
  });

  test('guests of one section who want different seats do not wait for each other', async () => {
    await claret.native.of(SeatMap, 'chamber').open('A', 2);
    await claret.transaction('First', async (tx) => {
      await tx.of(SeatMap, 'chamber').guest('A1');
      tx.of(SeatMap, 'chamber').reserve('A', 'A1', 'ann');
      await claret.transaction('Second', (inner) => void inner.of(SeatMap, 'chamber').reserve('A', 'A2', 'bob'), { timeoutMs: INNER_MS });
    });
    expect(await claret.native.of(SeatMap, 'chamber').left('A')).toBe(0);
  });

  test('a rate limiter lets exactly as many of 100 concurrent callers through as its limit is', async () => {
    const LIMIT = 30;
    for (const window of [1, 2]) {
      const allow = async (way: number): Promise<boolean> => {
        if (way === 0) return claret.native.of(RateLimiter, 'today').allow('ann', window, LIMIT);
        if (way === 1) return (await claret.transact('Ask', [claret.on.of(RateLimiter, 'today').allow('ann', window, LIMIT)]))[0];
        return claret.transaction('Ask', (tx) => tx.of(RateLimiter, 'today').allow('ann', window, LIMIT));
      };
      const allowed = await Promise.all(Array.from({ length: 100 }, (_, i) => allow(i % 3)));
      expect(allowed.filter((isAllowed) => isAllowed)).toHaveLength(LIMIT);
      expect(await claret.native.of(RateLimiter, 'today').left('ann', window, LIMIT)).toBe(0);
      expect(await claret.native.of(RateLimiter, 'today').left('bob', window, LIMIT)).toBe(LIMIT);
    }
  });

  test('a leaderboard has the order of the points as they decay, whatever the order in which they came', async () => {
    const [EPOCH, HALF_LIFE] = [1_000_000, 3_600];
    const gains = Array.from({ length: 60 }, (_, i) => ({
      player: `p${i % 9}`,
      points: ((i * 37) % 50) + 1,
      at: EPOCH + ((i * 977) % (5 * HALF_LIFE)),
    }));
    await Promise.all(
      gains.map(({ player, points, at }, i) =>
        i % 2 === 0
          ? claret.native.of(Leaderboard, 'board').score(player, points, at, EPOCH, HALF_LIFE)
          : claret.transaction('Score', (tx) => void tx.of(Leaderboard, 'board').score(player, points, at, EPOCH, HALF_LIFE)),
      ),
    );
    const totals = new Map<string, number>();
    for (const { player, points, at } of gains) {
      totals.set(player, (totals.get(player) ?? 0) + Math.floor(-points * 2 ** ((at - EPOCH) / HALF_LIFE) * 1_000));
    }
    const board = claret.native.of(Leaderboard, 'board');
    const top = await board.top(9);
    expect(top.map(([player]) => player)).toEqual([...totals].toSorted(([, a], [, b]) => a - b).map(([player]) => player));
    // One thousandth for each gain: the last bit of a power may differ.
    for (const [player, score] of top) expect(Math.abs(Number(score) - totals.get(player)!)).toBeLessThan(15);
    expect(
      await claret.transact(
        'Ranks',
        top.map(([player]) => claret.on.of(Leaderboard, 'board').rank(player)),
      ),
    ).toEqual(top.map((_, i) => i));
    const [best] = top[0]!;
    const [then, later] = await Promise.all([0, 1].map((lives) => board.points(best, EPOCH + lives * HALF_LIFE, EPOCH, HALF_LIFE)));
    expect(then! / later!).toBeCloseTo(2);
    await expect(board.top(0)).rejects.toMatchObject({ code: 'Leaderboard.too_few' });
    await expect(board.score('ann', 1_000_000, EPOCH + 60 * HALF_LIFE, EPOCH, HALF_LIFE)).rejects.toMatchObject({ code: 'out_of_range' });
  });
});

describe('an order book', () => {
  let cluster: TestCluster;
  let claret: Claret;
  beforeAll(async () => {
    ({ cluster, claret } = await startOnce());
  });
  afterAll(async () => {
    await claret.close(0);
    await cluster.close();
  });
  async function startOnce() {
    const started = await startCluster(2);
    await install(started);
    return { cluster: started, claret: await connect({ addresses: started.gateways.map(({ member }) => member.grpc) }) };
  }

  test('sells what was offered, the cheapest first, and nothing twice', async () => {
    const book = claret.native.of(OrderBook, 'apples');
    const offers = Array.from({ length: 40 }, (_, i) => ({ price: 1 + (i % 10), pieces: 1 + (i % 7) }));
    const offered = offers.reduce((sum, { pieces }) => sum + pieces, 0);
    const isSold = async (i: number): Promise<number> => {
      const bought = i % 2 === 0 ? book.buy(10, 3) : claret.transaction('Buy', (tx) => tx.of(OrderBook, 'apples').buy(10, 3));
      return Number(await bought);
    };
    const offering = offers.map(({ price, pieces }, i) => book.offer(`seller-${i}`, price, pieces));
    const bought = await Promise.all(Array.from({ length: 60 }, (_, i) => isSold(i)));
    await Promise.all(offering);
    let sold = bought.reduce((sum, pieces) => sum + pieces, 0);
    expect(Number(await book.onOffer(10)) + sold).toBe(offered);
    for (let price = 1; price <= 10; price++) {
      const [cheaper, upTo] = [Number(await book.onOffer(price - 1)), Number(await book.onOffer(price))];
      expect(cheaper).toBe(0);
      if (upTo > 0) expect(await book.buy(10, upTo)).toBe(upTo);
      sold += upTo;
    }
    expect(sold).toBe(offered);
    expect(await book.buy(10, 1)).toBe(0);
  });

  test('lets those in together who offer at different prices', async () => {
    await claret.transaction('First', async (tx) => {
      await tx.of(OrderBook, 'pears').onOffer(4);
      tx.of(OrderBook, 'pears').offer('ann', 5, 1);
      await claret.transaction('Second', (inner) => void inner.of(OrderBook, 'pears').offer('bob', 6, 1), { timeoutMs: INNER_MS });
    });
    expect(await claret.native.of(OrderBook, 'pears').onOffer(9)).toBe(2);
  });

  test('is refused what it has no room for, and goes on', async () => {
    const book = claret.native.of(OrderBook, 'plums');
    const seller = 'x'.repeat(20_000);
    for (const price of [1, 2, 3]) await book.offer(seller, price, 1);
    await expect(book.offer(seller, 4, 1)).rejects.toMatchObject({ code: 'record_too_large', retryable: false });
    expect(await book.buy(1, 1)).toBe(1);
    await book.offer(seller, 4, 1);
  });
});

describe('records of all examples', () => {
  test('and their types are there after a kill of the gateway', async () => {
    const folder = newFolder();
    const [grpc, rest] = (await freePorts(2)).map((port) => `127.0.0.1:${port}`);
    const run = startProcess(['--cluster', `${grpc}/${rest}`, '--durability', 'sync', '--data-dir', join(folder, 'shard-0')]);
    closing.push(() => void run.child.kill('SIGKILL'));
    await untilReady(run);
    await installAt(`http://${rest}`);
    const examples = ofExamples(await clientOf(grpc!), ['one', 'two']);
    await examples.fill();
    const before = await examples.read();
    run.child.kill('SIGKILL');
    await run.ended;
    const { claret } = await start(1, { durability: 'sync' }, folder);
    const later = ofExamples(claret, ['one', 'two']);
    expect(await later.read()).toEqual(before);
    await later.use();
  });

  test('and their types are in a backup, and are restored', async () => {
    const folder = newFolder();
    const { cluster, claret } = await start(2, { durability: 'sync' }, join(folder, 'first'));
    await install(cluster);
    const keys = [0, 1].map((shard) => cluster.keyOn(shard, 'example'));
    const examples = ofExamples(claret, keys);
    await examples.fill();
    // Some records are in the checkpoint that the backup makes, and some in the log behind it.
    await cluster.restart(1);
    await cluster.untilConnected();
    const before = await examples.read();
    const answer = await fetch(`http://${cluster.gateways[0]!.member.rest}/v1/admin/backup`);
    expect(answer.status).toBe(200);
    const file = join(folder, 'backup');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    await restoreBackup({ file, dataDir: join(folder, 'second') });
    const copy = await start(2, { durability: 'sync' }, join(folder, 'second'));
    const restored = ofExamples(copy.claret, keys);
    expect(await restored.read()).toEqual(before);
    await restored.use();
    await copy.cluster.restart(0);
    await copy.cluster.restart(1);
    await copy.cluster.untilConnected();
    expect(await restored.read()).not.toEqual(before);
  });

  test('move with their slots, under load, also to a shard that has joined later', async () => {
    const { cluster, claret } = await start(2, { durability: 'sync' });
    await install(cluster);
    const keys = Array.from({ length: 6 }, (_, i) => `example-${i}`);
    const examples = ofExamples(claret, keys);
    await examples.fill();
    await claret.native.of(SeatMap, keys[0]!).open('B', 100_000);
    let isOver = false;
    let reserved = 0;
    const guests = Array.from({ length: 8 }, async (_, guest) => {
      for (let i = 0; !isOver; i++, reserved++) {
        await claret.native.of(SeatMap, keys[0]!).reserve('B', `B${guest}-${i}`, 'ann');
        await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
      }
    });
    closing.push(() => void (isOver = true));
    const before = await examples.read();
    await cluster.join();
    const move = async (body: object) => {
      const url = `http://${cluster.gateways[0]!.member.rest}/v1/admin/moves`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const { move: id } = (await answer.json()) as { move: string };
      const phase = async () => {
        const { moves } = (await (await fetch(url)).json()) as { moves: { move: string; phase: string }[] };
        return moves.find((one) => one.move === id)?.phase;
      };
      await expect.poll(phase, SOON).toBe('done');
    };
    await move({ from: 0, to: 2, slots: { first: 0, last: 8_191 } });
    await move({ from: 1, to: 2, slots: { first: 8_192, last: 16_383 } });
    isOver = true;
    await Promise.all(guests);
    expect(await examples.read()).toEqual(before);
    expect(await claret.native.of(SeatMap, keys[0]!).left('B')).toBe(100_000 - reserved);
    for (const shard of [0, 1, 2]) await cluster.restart(shard);
    await cluster.untilConnected();
    expect(await examples.read()).toEqual(before);
    await examples.use();
  });
});
