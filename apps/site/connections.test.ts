// Malformed, hostile and slow connections, over real sockets.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CONNECTION_LIMITS, connectionOptions, closeSilentConnections, closePromptly, namesOneHost } from './connections.ts';
import { SECURITY_HEADERS } from './headers.ts';

let app: FastifyInstance;
/** The same for visitors who are slow on purpose. Its limits are so short that this process may exceed them by standing still. */
let impatient: FastifyInstance;
let asked: string[];
let answer: (text: string) => void;

const quick = { ...CONNECTION_LIMITS, headers_timeout_ms: 200, request_timeout_ms: 400, check_every_ms: 50, silent_timeout_ms: 600 };

async function serve(limits: typeof quick): Promise<FastifyInstance> {
  const served = Fastify({ ...connectionOptions(limits) });
  closeSilentConnections(served.server, limits);
  served.post('/write', async (request) => void asked.push(JSON.stringify(request.body)));
  served.get('/hello', async (request) => ({ host: request.host, cookie: request.headers.cookie ?? null }));
  served.get('/much', async () => 'x'.repeat(64 * 1024 * 1024));
  served.get('/later', () => new Promise((resolve) => (answer = resolve)));
  await served.listen({ host: '127.0.0.1', port: 0 });
  return served;
}

beforeAll(async () => {
  asked = [];
  [app, impatient] = [await serve(CONNECTION_LIMITS), await serve(quick)];
});
afterAll(() => Promise.all([app.close(), impatient.close()]));

const open = (at = app): Socket => connect((at.server.address() as AddressInfo).port, '127.0.0.1');

/** Sends a little more now and then. What has arrived is read in between: an answer is lost if more is sent after it to a closed connection. */
function drip(socket: Socket, text: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    if (socket.writable) socket.write(text);
    setImmediate(() => (timer = setTimeout(send, 40)));
  };
  timer = setTimeout(send, 40);
  return () => clearTimeout(timer);
}

/** The bytes received until the connection ends. */
function said(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

async function exchange(sent: string): Promise<string> {
  const socket = open();
  socket.write(sent);
  return said(socket);
}

const statusOf = (text: string) => Number(text.split(' ')[1]);

describe('A malformed request', () => {
  const bad: [what: string, sent: string, status: number][] = [
    ['noise', '\u0016\u0003\u0001\r\n\r\n', 400],
    ['two content lengths', 'POST /write HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}', 400],
    [
      'a content length and chunks',
      'POST /write HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'chunks hidden behind another coding',
      'POST /write HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a header with a space before its colon', 'GET /hello HTTP/1.1\r\nhost : a\r\n\r\n', 400],
    ['a folded header', 'GET /hello HTTP/1.1\r\nhost: a\r\n b: c\r\n\r\n', 400],
    ['a bare line feed in a header', 'GET /hello HTTP/1.1\nhost: a\n\n', 400],
    ['a NUL in a header', 'GET /hello HTTP/1.1\r\nhost: a\r\nx: \u0000\r\n\r\n', 400],
    [
      'headers above the size limit',
      `GET /hello HTTP/1.1\r\nhost: a\r\ncookie: ${'x'.repeat(CONNECTION_LIMITS.header_bytes_max)}\r\n\r\n`,
      431,
    ],
    ['a URL above the size limit', `GET /${'x'.repeat(CONNECTION_LIMITS.header_bytes_max)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ];
  test.each(bad)('%j is refused, with the headers of every answer, and the connection ends', async (_what, sent, status) => {
    const text = await exchange(sent);
    expect(statusOf(text)).toBe(status);
    const [head, body] = text.split('\r\n\r\n');
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(head).toContain(`\r\n${name}: ${value}`);
    expect(head).toContain('\r\ncache-control: no-store');
    expect(JSON.parse(body!)).toMatchObject({ status, code: 'invalid_input' });
    expect(asked).toEqual([]);
  });

  test('smuggled behind a request is neither taken for one nor answered in its place', async () => {
    const smuggled = 'POST /write HTTP/1.1\r\nhost: a\r\nx-claret-csrf: 1\r\n\r\n';
    const text = await exchange(
      `GET /later HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );
    expect(statusOf(text)).toBe(400);
    expect(asked).toEqual([]);
  });

  test('behind a request in progress ends the connection, and adds nothing to that request’s answer', async () => {
    const socket = open();
    const all = said(socket);
    socket.write('GET /later HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(() => typeof answer).toBe('function');
    socket.write('noise\r\n\r\n');
    expect(await all).toBe('');
    answer('late');
  });
});

describe('A visitor who is slow', () => {
  test('with the headers gets an answer, and the connection ends', async () => {
    const socket = open(impatient);
    const all = said(socket);
    socket.write('GET /hello HTTP/1.1\r\nhost: a\r\n');
    const stop = drip(socket, 'x: y\r\n');
    expect(statusOf(await all)).toBe(408);
    stop();
  });

  test('with the body gets an answer, and the connection ends', async () => {
    const socket = open(impatient);
    const all = said(socket);
    socket.write('POST /write HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{');
    const stop = drip(socket, ' ');
    expect(statusOf(await all)).toBe(408);
    stop();
    expect(asked).toEqual([]);
  });

  test('to send anything at all is disconnected', async () => {
    expect(await said(open(impatient))).not.toContain(' 200 ');
  });

  test('to read is disconnected, and the server does not keep their answer', async () => {
    const socket = open(impatient).pause();
    socket.write('GET /much HTTP/1.1\r\nhost: a\r\n\r\n');
    const [end] = (await once(impatient.server, 'connection')) as [Socket];
    await once(end, 'close');
    expect(end.destroyed).toBe(true);
    socket.destroy();
  });
});

test('A body with an unknown coding reaches no route, and the connection ends', async () => {
  const text = await exchange('POST /write HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n');
  expect(statusOf(text)).toBeGreaterThanOrEqual(400);
  expect(asked).toEqual([]);
});

test('A request names exactly one host', () => {
  const names = (httpVersion: string, ...hosts: string[]) =>
    namesOneHost({ httpVersion, rawHeaders: ['Accept', 'host', ...hosts.flatMap((host) => ['Host', host])] });
  expect([names('1.1', 'a'), names('1.0'), names('1.0', 'a')]).toEqual([true, true, true]);
  expect([names('1.1'), names('1.1', 'a', 'b'), names('1.1', 'a', 'a'), names('1.0', 'a', 'b')]).toEqual([false, false, false, false]);
});

test('A server that closes does not wait for a connection without a request, and answers the request that it has', async () => {
  const closing = Fastify({ ...connectionOptions() });
  closePromptly(closing);
  let answerLate = (_text: string) => {};
  closing.get('/later', () => new Promise((resolve) => (answerLate = resolve)));
  await closing.listen({ host: '127.0.0.1', port: 0 });
  const { port } = closing.server.address() as AddressInfo;
  const unused = said(connect(port, '127.0.0.1'));
  await once(closing.server, 'connection');
  const used = connect(port, '127.0.0.1');
  used.write('GET /later HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(closing.server, 'request');
  const closed = closing.close();
  expect(await unused).toBe('');
  answerLate('here');
  expect(await said(used)).toMatch(/\bhere$/);
  await closed;
});
