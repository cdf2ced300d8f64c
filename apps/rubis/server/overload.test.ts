// Three times the capacity of an app server, with real processes: gateways, an app server, and a load generator.
//
// The capacity is measured first, since machines differ. The test asserts no times except that everything ends.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, type Claret } from '@claret/client';
import { newToken, hashToken } from '@claret/site/auth/token.ts';
import { SessionRecords } from '@claret/site/auth/session-records.ts';
import type { Answers, Kind, Load } from '@claret/site/testing/load.ts';
import { ADMISSION_LIMITS } from '@claret/site/overload/limits.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { freePorts } from '../../../scripts/run/ports.js';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import type { Person } from './actions/find-account.ts';
import { newUser } from './actions/new-user.ts';
import { openAuction } from './actions/open-auction.ts';
import { viewAuction } from './actions/view-auction.ts';
import type { LiveEvents } from './api.ts';

const CALM_S = 3;
const STORM_S = 5;
/** more than any admission limit */
const CONNECTIONS = 1_500;
/** how much the server's memory may grow under overload */
const GROWTH_MIB_MAX = 300;

let cluster: TestCluster;
let claret: Claret;
let server: ChildProcess;
let storm: ChildProcess;
let port: number;
let item_id: string;
let kinds: Kind[];

beforeAll(async () => {
  cluster = await startCluster(2);
  const gateways = cluster.gateways.map(({ member }) => member.grpc);
  claret = await connect({ addresses: gateways, name: 'test' });
  [port] = (await freePorts(1)) as [number];
  const args = [join(import.meta.dirname, 'main.ts'), '--port', String(port), '--gateways', gateways.join(','), '--log-level', 'silent'];
  server = spawn(process.execPath, args, { stdio: 'ignore' });
  storm = fork(join(import.meta.dirname, '..', '..', 'site', 'testing', 'load.ts'));
  const seller = await person('seller');
  ({ item_id } = await openAuction(claret, {
    title: 'Lamp',
    description: '',
    category_id: 'home',
    region_id: 'ny-albany',
    seller,
    start_price_cents: 1_00,
    opened_at_ms: Date.now(),
    closes_at_ms: Date.now() + 3_600_000,
  }));
  const bidders = await Promise.all(Array.from({ length: 10 }, async (_, i) => logIn(await person(`bidder${i}`))));
  kinds = [
    { name: 'item', share: 0.5, method: 'GET', path: `/api/items/${item_id}` },
    { name: 'browse', share: 0.2, method: 'GET', path: '/api/items?category=home' },
    ...bidders.map((cookie) => ({
      name: 'bid',
      share: 0.03,
      method: 'POST' as const,
      path: `/api/items/${item_id}/bids`,
      cookie,
      body: '{"amount_cents":$n0000}',
    })),
  ];
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200));
});
afterAll(async () => {
  storm.kill('SIGKILL');
  server.kill('SIGKILL');
  await claret.close();
  await cluster.close();
});

async function person(nickname: string): Promise<Person> {
  const created = await newUser(claret, { nickname, region_id: 'ny-albany', credentials: null, created_at_ms: Date.now() });
  if (created.refused !== null) throw new Error(created.refused);
  return { id: created.user_id, nickname, region_id: 'ny-albany' };
}

async function logIn(who: Person): Promise<string> {
  const token = newToken();
  await new SessionRecords<Person>('auctions', ['nickname', 'region_id']).open(claret, {
    person: who,
    token_hash: hashToken(token)!,
    now_ms: Date.now(),
  });
  return `claret_auctions=${token}`;
}

async function send(load: Omit<Load, 'port' | 'kinds'>): Promise<Answers> {
  storm.send({ port, kinds, ...load });
  const [answers] = (await once(storm, 'message')) as [Answers];
  return answers;
}

type Admission = { limit: number; delay_ms: number; at_work: Record<string, number>; sockets: number };
const admission = async (): Promise<Admission> =>
  ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { gate: Admission }).gate;

async function memory_mib(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

const countOf = ({ answers }: Answers, pattern: RegExp): number =>
  Object.entries(answers).reduce((sum, [what, count]) => sum + (pattern.test(what) ? count : 0), 0);

test('At three times its capacity a site sheds the excess, serves accepted requests correctly, and recovers afterwards', async () => {
  const calm = await send({ connections: 24, seconds: CALM_S, per_s: null });
  // A request in which the site stands still for long is busy.
  expect([calm.lost, countOf(calm, / 5\d\d(?! (overloaded|busy)$)/)], JSON.stringify(calm.answers)).toEqual([0, 0]);
  const capacity_per_s = calm.accepted_ms.count / CALM_S;
  const per_s = Math.ceil(3 * capacity_per_s);
  const before_mib = await memory_mib();
  const viewer = new EventReader<LiveEvents>({ server: { address: () => ({ port }) } } as never, `/api/live?items=${item_id}`);
  await expect.poll(() => viewer.of('item').length).toBeGreaterThan(0);

  const seen: Admission[] = [];
  const storm = async (): Promise<Answers> => {
    let over = false;
    const storming = send({ connections: CONNECTIONS, seconds: STORM_S, per_s }).finally(() => (over = true));
    while (!over) {
      seen.push(await admission()); // a probe is always admitted
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return storming;
  };
  // Who sends may stand still meanwhile, and then offers less than that.
  const storms = [await storm()];
  while (countOf(storms.at(-1)!, / 503 overloaded/) === 0) storms.push(await storm());
  const stormy = storms.at(-1)!;
  const grown_mib = (await memory_mib()) - before_mib;
  console.log({
    capacity_per_s: Math.round(capacity_per_s),
    offered_per_s: per_s,
    calm: calm.accepted_ms,
    stormy,
    grown_mib: Math.round(grown_mib),
    limits: seen.map(({ limit }) => limit).join(' '),
    delays_ms: seen.map(({ delay_ms }) => delay_ms).join(' '),
  });

  // The excess is shed with a Retry-After; no other errors occur, and every request is answered.
  expect([stormy.lost, stormy.without_retry_after]).toEqual([0, 0]);
  expect(countOf(stormy, / 5\d\d(?! (overloaded|busy)$)/), JSON.stringify(stormy.answers)).toBe(0);
  // Bids are admitted as well as reads.
  expect(countOf(stormy, /^bid (201|409)/)).toBeGreaterThan(0);
  expect(countOf(stormy, /^item 200/)).toBeGreaterThan(0);
  // The limit and the requests in flight stay within bounds.
  for (const { limit, at_work } of seen) {
    expect(limit).toBeLessThanOrEqual(ADMISSION_LIMITS.at_work_most);
    expect(at_work['read']! + at_work['write']!).toBeLessThanOrEqual(ADMISSION_LIMITS.at_work_most);
  }
  expect(grown_mib).toBeLessThan(GROWTH_MIB_MAX);

  // The accepted bids are stored, and no others; the viewer's stream survived and shows them.
  const bids = [calm, ...storms].reduce((sum, answers) => sum + countOf(answers, /^bid 201/), 0);
  const found = await viewAuction(claret, { item_id });
  expect(found).toMatchObject({ auction: { bid_count: bids } });
  await expect.poll(() => viewer.last('item')?.item.bid_count).toBe(bids);

  // Back to normal: the whole capacity is available again.
  await expect
    .poll(
      async () => {
        const { answers, lost } = await send({ connections: 24, seconds: 0.5, per_s: null });
        return [lost, Object.keys(answers).filter((what) => / 5\d\d/.test(what))];
      },
      { interval: 100 },
    )
    .toEqual([0, []]);
  expect((await admission()).at_work).toMatchObject({ read: 0, write: 0 });
  viewer.close();
});
