// Slow senders, over real sockets: they keep no other visitor out.
import { request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import type { Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { siteApp } from '../app.ts';
import type { App } from '../http.ts';
import { Problems, type SharedCode } from '../problem.ts';
import { DEADLINE_MS, ADMISSION_LIMITS, SENDING } from './limits.ts';

const CODES: SharedCode[] = ['busy', 'overloaded', 'internal', 'unknown_route', 'invalid_input', 'csrf_missing'];
const problems = new Problems<string>({
  status: Object.fromEntries(CODES.map((code) => [code, code === 'internal' ? 500 : 503])),
  details: Object.fromEntries(CODES.map((code) => [code, `About ${code}.`])),
  field_details: {},
  field_codes: {},
  param_codes: {},
});

let cluster: InProcessCluster;
let app: App;
let sockets: Socket[];
let bids: unknown[];
let hold: Promise<void>;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 1 });
  const claret: Claret = await cluster.connect({ name: 'site' });
  [sockets, bids, hold] = [[], [], Promise.resolve()];
  const admission_limits = { ...ADMISSION_LIMITS, at_work_first: 4, at_work_least: 4, pages_at_work_max: 2 };
  app = await siteApp({ claret, admission_limits, proxies: ['127.0.0.1'] }, problems, (api) => {
    api.post('/bids', async (asked) => {
      bids.push(asked.body);
      await hold;
      await asked.claret.transact('Read', [claret.on.counter('a').value()]);
      return 'taken';
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
  await cluster.stop();
});

const port = () => (app.server.address() as AddressInfo).port;
const BODY = '{"cents":100}';

type Slow = { said: () => string; rest: () => void };

/** Sends the head of a request and the first byte of its body. */
function drip(from = '10.0.0.1', path = '/api/bids'): Slow {
  let text = '';
  const socket = connect(port(), '127.0.0.1')
    .setEncoding('latin1')
    .on('data', (chunk) => (text += chunk))
    .on('error', () => undefined);
  sockets.push(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: a',
    `x-forwarded-for: ${from}`,
    `${CSRF_HEADER}: 1`,
    'content-type: application/json',
    `content-length: ${BODY.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY[0]}`);
  return { said: () => text, rest: () => void socket.write(BODY.slice(1)) };
}

function bid(from = '10.0.0.2'): Promise<number> {
  const headers = { 'content-type': 'application/json', [CSRF_HEADER]: '1', 'x-forwarded-for': from };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: port(), path: '/api/bids', method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject).end(BODY);
  });
}

type State = { limit: number; delay_ms: number; at_work: Record<string, number>; sockets: number };
const admission = async () => (await app.inject('/readyz')).json<{ gate: State }>().gate;
const arrived = (count: number) => vi.waitFor(async () => expect((await admission()).sockets).toBe(count));

test('a slowly sent body takes no slot, neither of bids nor of pages, until it is complete', async () => {
  const slow = Array.from({ length: 20 }, () => drip());
  const slowPages = Array.from({ length: 20 }, () => drip('10.0.0.1', '/'));
  await arrived(40);
  expect((await admission()).at_work).toMatchObject({ write: 0, page: 0 });
  expect(await bid()).toBe(200);
  expect((await (await fetch(`http://127.0.0.1:${port()}/`)).json()).code).toBe('unknown_route');
  slow[0]!.rest();
  await vi.waitFor(() => expect(slow[0]!.said()).toContain('taken'));
  expect(slow.slice(1).map(({ said }) => said())).toEqual(Array(19).fill(''));
  expect(slowPages.map(({ said }) => said())).toEqual(Array(20).fill(''));
});

test('A request whose body completes when all slots are taken is shed before its work begins', async () => {
  let go = () => {};
  const late = drip();
  await arrived(1);
  hold = new Promise((resolve) => (go = resolve));
  const inside = [bid(), bid(), bid()];
  await vi.waitFor(() => expect(bids).toHaveLength(3));
  late.rest();
  await vi.waitFor(() => expect(late.said()).toContain('overloaded'));
  expect(late.said()).toMatch(/^HTTP\/1.1 503 [^]*\r\nretry-after: [1-4]\r\n/);
  expect(bids).toHaveLength(3);
  go();
  expect(await Promise.all(inside)).toEqual([200, 200, 200]);
  await vi.waitFor(async () => expect((await admission()).at_work).toMatchObject({ write: 0 }));
});

test('One address may send a limited number of slow bodies; other addresses may too, and its fast bodies are accepted', async () => {
  const allowed = Array.from({ length: SENDING.per_visitor_max }, () => drip());
  await arrived(allowed.length);
  const beyond = drip();
  await vi.waitFor(() => expect(beyond.said()).toMatch(/^HTTP\/1.1 503 [^]*connection: close[^]*overloaded/));
  const other = drip('10.0.0.2');
  expect(await bid('10.0.0.1')).toBe(200);
  other.rest();
  await vi.waitFor(() => expect(other.said()).toContain('taken'));
  sockets[0]!.destroy();
  await vi.waitFor(async () => {
    const next = drip();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(next.said()).toBe('');
  });
});

test('The time in which a body is sent counts neither as a delay of the server nor against the request’s deadline', async () => {
  /** Long, since the server's delay counts while this process stands still. */
  const SENT_IN_MS = 5_000;
  const slow = drip();
  await arrived(1);
  await new Promise((resolve) => setTimeout(resolve, SENT_IN_MS));
  slow.rest();
  await vi.waitFor(() => expect(slow.said()).toContain('taken'));
  const delays: number[] = [];
  for (
    const until = performance.now() + 3 * ADMISSION_LIMITS.window_ms;
    performance.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 10))
  ) {
    delays.push((await admission()).delay_ms);
  }
  expect(Math.max(...delays)).toBeLessThan(SENT_IN_MS);
});

test('A bid whose body took longer than the deadline of a write is still placed', async () => {
  const slow = drip();
  await arrived(1);
  await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS.write + 200));
  slow.rest();
  await vi.waitFor(() => expect(slow.said()).toContain('taken'));
});
