// The limit on the number of streams, over real connections.
import { once } from 'node:events';

import Fastify, { type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { closePromptly } from '../connections.ts';
import type { App } from '../http.ts';
import { RequestProblem } from '../problem.ts';
import { EventStreams } from './streams.ts';

let app: App;
let address: string;
let stops: AbortController[];
/** What a request waits for before its stream is opened. */
let mayBegin: (request: FastifyRequest) => Promise<unknown>;

beforeEach(async () => {
  stops = [];
  mayBegin = () => Promise.resolve();
  app = Fastify({ trustProxy: true }) as unknown as App;
  closePromptly(app); // a fetch that is aborted while it connects leaves a connection
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof RequestProblem && error.code === 'too_many_streams' ? 503 : 500).send(),
  );
  const streams = new EventStreams<{ hello: { server_time_ms: number } }>(app, { nowMs: Date.now }, { max: 3, per_visitor_max: 2 });
  app.get('/live', async (request, reply) => {
    streams.refuseWhenFull(request);
    await mayBegin(request);
    streams.open(request, reply);
  });
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const stop of stops) stop.abort();
  await app.close();
});

async function open(from: string) {
  const stop = new AbortController();
  stops.push(stop);
  const { status } = await fetch(`${address}/live`, { headers: { 'x-forwarded-for': from }, signal: stop.signal });
  return { status, stop: () => stop.abort() };
}
/** Opens streams that have all been asked for before the first of them begins; tells their statuses. */
async function together(...from: string[]): Promise<number[]> {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  mayBegin = () => {
    if (++asked === from.length) all.resolve();
    return all.promise;
  };
  return (await Promise.all(from.map(open))).map(({ status }) => status).toSorted();
}

test('One address has no more than its share, however many streams it requests at once, and the total is bounded', async () => {
  expect(await together(...Array.from({ length: 6 }, () => '10.0.0.1'))).toEqual([200, 200, 503, 503, 503, 503]);
  expect(await together('10.0.0.2', '10.0.0.2')).toEqual([200, 503]);
});

test('All addresses of one IPv6 network count as one', async () => {
  expect(await together(...[1, 2, 3].map((host) => `2001:db8::${host}`))).toEqual([200, 200, 503]);
});

test('A stream that ended frees its slot, also if its visitor left before it began', async () => {
  const first = await open('10.0.0.1');
  await open('10.0.0.1');
  for (let i = 0; i < 5; i++) {
    const gone = new AbortController();
    const left = Promise.withResolvers<void>();
    mayBegin = async ({ raw: { socket } }) => {
      gone.abort();
      await once(socket, 'close');
      left.resolve();
    };
    await fetch(`${address}/live`, { headers: { 'x-forwarded-for': '10.0.0.3' }, signal: gone.signal }).catch(() => undefined);
    await left.promise;
  }
  mayBegin = () => Promise.resolve();
  expect((await open('10.0.0.1')).status).toBe(503);
  first.stop();
  await vi.waitFor(async () => expect((await open('10.0.0.1')).status).toBe(200));
  expect((await open('10.0.0.3')).status).toBe(200);
});
