// Deadlines of requests down to the shards, over real connections and a real cluster in this process.
import { EventEmitter } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Claret, Integer } from '@claret/client';
import { steered } from '@claret/client/steered';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { siteApp } from '../app.ts';
import type { App } from '../http.ts';
import { Problems, type SharedCode } from '../problem.ts';
import { InFlightRequest, trackRequest } from './in-flight-request.ts';
import { DEADLINE_MS } from './limits.ts';

const CODES: SharedCode[] = ['busy', 'outcome_unknown', 'overloaded', 'internal', 'unknown_route', 'invalid_input', 'csrf_missing'];
const problems = new Problems<string>({
  status: Object.fromEntries(CODES.map((code) => [code, code === 'internal' ? 500 : 503])),
  details: Object.fromEntries(CODES.map((code) => [code, `About ${code}.`])),
  field_details: {},
  field_codes: {},
  param_codes: {},
});

let cluster: InProcessCluster;
let claret: Claret;
let app: App;
let begun: number;
let ended: unknown[];

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2, shardOptions: { idleMs: 60_000, woundGraceMs: 60_000 } });
  claret = await cluster.connect({ name: 'site', combining: 'off' });
  [begun, ended] = [0, []];
  app = await siteApp({ claret }, problems, (api) => {
    const reads = async (of: Claret) => {
      begun++;
      return Promise.all(['a', 'b', 'c', 'd'].map((key) => wait(of, key)));
    };
    api.get('/value', async (asked) =>
      reads(asked.claret).catch((error: unknown) => {
        ended.push(error);
        throw error;
      }),
    );
    // Two steps, the first of which waits for the slow writer.
    api.post('/change', async (asked) => {
      await wait(asked.claret, 'a');
      await asked.claret.transact('Change', [claret.on.counter('x').add(1)]);
    });
    api.post<{ Params: { first: string } }>('/steps/:first', async (asked) => {
      const { value, add } = { value: claret.on.counter('x').value(), add: claret.on.counter('x').add(1) };
      await asked.claret.transact('First', [asked.params.first === 'add' ? add : value]);
      await wait(asked.claret, 'a', { timeoutMs: 100 });
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await app.close();
  await cluster.stop();
});

const address = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

/** Waits for the slow writer: what reads and ends in one message would pass it. */
const wait = (of: Claret, key: string, options?: { timeoutMs: number }): Promise<Integer> =>
  of.transaction(
    'Wait',
    async (tx) => {
      const value = await tx.counter(key).value();
      return value;
    },
    options,
  );

/** A transaction that holds locks on all counters that are read here, until it is told to go on. */
async function slowWriter(): Promise<() => Promise<unknown>> {
  const other = await cluster.connect({ name: 'other' });
  let go = () => {};
  const told = new Promise<void>((resolve) => (go = resolve));
  let holds = () => {};
  const held = new Promise<void>((resolve) => (holds = resolve));
  const writing = other.transaction(
    'Slow',
    async (tx) => {
      await Promise.all(['a', 'b', 'c', 'd'].map((key) => tx.counter(key).add(1)));
      holds();
      await told;
    },
    steered({ now: true }),
  );
  await held;
  return () => (go(), writing);
}

const attemptsAt = () => cluster.shards.reduce((sum, shard) => sum + shard.counters().attemptsInFlight, 0);
const state = async () => (await app.inject('/readyz')).json<{ gate: { at_work: { read: number } } }>().gate;

test('A read that waits for the store is answered at its deadline, and holds nothing there any more', async () => {
  const letGo = await slowWriter();
  const before = attemptsAt();
  const began = performance.now();
  const answer = await fetch(`${address()}/api/value`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'busy', retry_after_s: 1 }]);
  expect(performance.now() - began).toBeGreaterThan(DEADLINE_MS.read - 50);
  await vi.waitFor(() => expect(attemptsAt()).toBe(before));
  await letGo();
  // A request in which this process stands still is answered at its deadline too.
  await vi.waitFor(async () => expect((await fetch(`${address()}/api/value`)).status).toBe(200));
});

test('The reads of a visitor who has disconnected are called off, and the slot is free', async () => {
  const letGo = await slowWriter();
  const before = attemptsAt();
  const visitor = request(`${address()}/api/value`).on('error', () => undefined);
  visitor.end();
  await vi.waitFor(() => expect(attemptsAt()).toBe(before + 4));
  expect((await state()).at_work.read).toBe(1);
  visitor.destroy();
  await vi.waitFor(() => expect(attemptsAt()).toBe(before));
  await vi.waitFor(async () => expect((await state()).at_work.read).toBe(0));
  expect(begun).toBe(1);
  await vi.waitFor(() => expect(ended).toMatchObject([{ code: 'called_off' }]));
  await letGo();
});

test('A change completes although the visitor has disconnected', async () => {
  const letGo = await slowWriter();
  const before = attemptsAt();
  const visitor = request(`${address()}/api/change`, { method: 'POST', headers: { [CSRF_HEADER]: '1' } }).on('error', () => undefined);
  visitor.end();
  await vi.waitFor(() => expect(attemptsAt()).toBeGreaterThan(before));
  visitor.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await letGo();
  await vi.waitFor(async () => expect(await claret.transact('Check', [claret.on.counter('x').value()])).toEqual([1]));
});

test('A request whose outcome may already be decided keeps its slot after the visitor has disconnected, until it ends', () => {
  const response = Object.assign(new EventEmitter(), { writableEnded: false });
  const [released, abandoned] = [vi.fn(), vi.fn()];
  const inFlight = new InFlightRequest('read', performance.now(), released);
  trackRequest({} as IncomingMessage, response as unknown as ServerResponse, inFlight, abandoned);
  const undecided = { callOff: vi.fn() };
  inFlight.scope.enter(undecided);
  response.emit('close');
  expect(undecided.callOff).toHaveBeenCalledOnce();
  expect(abandoned).toHaveBeenCalledExactlyOnceWith(inFlight);
  expect(released).not.toHaveBeenCalled();
});

test('An answer says that nothing happened only if no step of the request has changed anything', async () => {
  const letGo = await slowWriter();
  const post = async (first: string) =>
    (await fetch(`${address()}/api/steps/${first}`, { method: 'POST', headers: { [CSRF_HEADER]: '1' } })).json();
  expect(await post('look')).toMatchObject({ code: 'busy' });
  expect(await post('add')).toMatchObject({ code: 'outcome_unknown' });
  await letGo();
});
