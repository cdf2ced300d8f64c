// The look-up of a session on two app servers of one cluster, where shards promise what is worth while.
import type { App } from '@claret/site/http.ts';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { begunAt, setWarranties } from '@claret/site/testing/warranties.ts';
import type { Claret } from '@claret/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let clients: Claret[];
let servers: App[];
let person: Visitor;

beforeEach(async () => {
  world = await startWorld();
  clients = await Promise.all(['one', 'other'].map((name) => world.cluster.connect({ name })));
  servers = await Promise.all(clients.map((claret) => buildApp({ claret, password_cost: TEST_COST })));
  person = await new Visitor(servers[0]!).register('person');
  await setWarranties(world.cluster, 'auto', ...clients);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await world.stop();
});

const userAt = async (server: App): Promise<unknown> => {
  const { user } = (await person.at(server).get('/api/session')).body;
  return user;
};
/** Asks `times` times, all over again until that costs no message: on a busy machine a promise may end meanwhile. */
const fromMemory = (server: App, times = 1) =>
  vi.waitFor(async () => {
    const before = messages();
    for (let n = 0; n < times; n++) expect(await userAt(server)).toMatchObject({ nickname: 'person' });
    expect(messages()).toBe(before);
  });
const messages = () => begunAt(world.cluster) + clients.reduce((sum, { counters }) => sum + counters.natives, 0);

test('A session that was looked up before costs no message', async () => {
  for (const server of servers) await expect(fromMemory(server, 20)).resolves.toBeUndefined();
});

test('A log-out at one server is seen by the next request at the other, which had the session in memory', async () => {
  const [one, other] = servers as [App, App];
  const stolen = new Visitor(one);
  stolen.cookie = person.cookie;
  for (const server of servers) await fromMemory(server);
  expect((await person.at(other).post('/api/logout')).body['user']).toBeNull();
  for (const server of servers) expect((await stolen.at(server).get('/api/session')).body['user']).toBeNull();
  expect((await stolen.at(one).get('/api/me')).status).toBe(401);
});

test('A log-in ends the session before at every server', async () => {
  const [one, other] = servers as [App, App];
  const before = person.cookie;
  await fromMemory(one);
  expect((await person.at(other).post('/api/login', { nickname: 'person', password: 'correct horse' })).status).toBe(200);
  expect(person.cookie).not.toBe(before);
  expect(await userAt(one)).toMatchObject({ nickname: 'person' });
  const old = new Visitor(one);
  old.cookie = before;
  expect((await old.get('/api/session')).body['user']).toBeNull();
});

test('What is sent with a session that has ended at another server is not done, and no earlier answer is told', async () => {
  const [one, other] = servers as [App, App];
  const item_id = await (await new Visitor(other).register('seller')).sell();
  const url = `/api/items/${item_id}/bids`;
  const key = newRequestKey(clients[0]!.clock.nowMs());
  const bid = (visitor: Visitor, amount_cents: number) =>
    visitor.send('POST', url, { amount_cents }, { [CSRF_HEADER]: '1', 'idempotency-key': key });
  const [first, again] = [await bid(person.at(one), 20_00), await bid(person.at(one), 20_00)];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body['bid_id']).toBe(first.body['bid_id']);
  const stolen = new Visitor(one);
  stolen.cookie = person.cookie;
  await person.at(other).post('/api/logout');
  for (const amount_cents of [20_00, 30_00]) {
    const answer = await bid(stolen, amount_cents);
    expect([answer.status, answer.body['code']]).toEqual([401, 'not_logged_in']);
  }
  expect((await new Visitor(one).get(url)).body['bids']).toHaveLength(1);
});
