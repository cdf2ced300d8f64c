// Event streams over real connections: a viewer who does not read, and many viewers who have to reconnect.
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test, vi } from 'vitest';

import { EventStream, HEARTBEAT_EVERY_MS } from './stream.ts';

type Events = {
  hello: { server_time_ms: number; payload: string };
  notice: { server_time_ms: number };
};

// Large enough that a few events fill every buffer between the two ends.
const PAYLOAD = 'x'.repeat(4 * 1024 * 1024);

test('a viewer who stops reading builds up no queue, and gets the newest state and the newest notices when they read again', async () => {
  const streams: EventStream<Events>[] = [];
  const server = createServer((_, response) => void streams.push(new EventStream(response, Date.now)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => request({ host: '127.0.0.1', port }, resolve).end());
  const [stream] = streams;
  if (stream === undefined) throw new Error('no stream');

  response.pause();
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 10; i++) {
      const number = round * 10 + i;
      stream.state('hello', '', { server_time_ms: number, payload: PAYLOAD });
      stream.notice('notice', { server_time_ms: number });
    }
    await new Promise((resolve) => setTimeout(resolve, 110));
  }

  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk.replaceAll('x', '')));
  response.resume();
  await vi.waitFor(() => expect(text).toContain('event: notice\ndata: {"server_time_ms":79}'));
  const states = [...text.matchAll(/event: hello\ndata: {"server_time_ms":(\d+)/g)].map(([, id]) => Number(id));
  const notices = [...text.matchAll(/event: notice\ndata: {"server_time_ms":(\d+)/g)].map(([, id]) => Number(id));
  expect(states.at(-1)).toBe(79);
  expect(states.length).toBeLessThan(8);
  expect(notices.slice(-50)).toEqual(Array.from({ length: 50 }, (_, i) => 30 + i));
  expect(notices.length).toBeLessThan(80);

  stream.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a closed stream ends, also for a viewer who does not read', async () => {
  const streams: EventStream<Events>[] = [];
  const server = createServer((_, response) => void streams.push(new EventStream(response, Date.now)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asked = request({ host: '127.0.0.1', port }).on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve) => asked.on('response', resolve).end());
  response.on('error', () => undefined).pause();
  const [stream] = streams;
  if (stream === undefined) throw new Error('no stream');
  const ended = vi.fn();
  stream.onClose(ended);
  for (let round = 0; round < 4; round++) {
    stream.state('hello', '', { server_time_ms: round, payload: PAYLOAD });
    await new Promise((resolve) => setTimeout(resolve, 110));
  }
  stream.close();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  asked.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('the more streams a server has, the longer a page waits before it reconnects; every heartbeat carries the delay', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let open = 1;
  const server = createServer((_, response) => void new EventStream(response, Date.now, () => open));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => request({ host: '127.0.0.1', port }, resolve).end());
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await vi.waitFor(() => expect(text).toBe('retry: 1000\n\n'));
    open = 3_000;
    vi.advanceTimersByTime(HEARTBEAT_EVERY_MS);
    await vi.waitFor(() => expect(text).toBe('retry: 1000\n\nretry: 6000\n\n'));
  } finally {
    vi.useRealTimers();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
