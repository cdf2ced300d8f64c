// Callers that send slowly, over real sockets: each is disconnected in time, and other callers are answered meanwhile.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { splitAddress } from '../cluster.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const SENDERS = 50;
const BYTE_EVERY_MS = 200;
/** Honest callers send a request at once, but this process may stand still meanwhile. */
const REQUEST_MS = 5_000;

let cluster: TestCluster | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await cluster?.close();
  cluster = undefined;
});

/** Sends its request byte by byte; resolves with the reply and the duration when the connection ends. */
function sendSlowly(rest: string, begin: string): Promise<{ reply: string; afterMs: number }> {
  const startedMs = performance.now();
  const { host, port } = splitAddress(rest);
  let timer: NodeJS.Timeout | undefined;
  const sendByte = () => {
    socket.write('x');
    // What has arrived is read before the next byte is due: a byte to a closed connection would end this socket, and lose the reply.
    setImmediate(() => (timer = setTimeout(sendByte, BYTE_EVERY_MS)));
  };
  const socket = connect({ host, port }, () => {
    socket.write(begin);
    timer = setTimeout(sendByte, BYTE_EVERY_MS);
  });
  sockets.push(socket);
  let reply = '';
  socket.on('data', (bytes: Buffer) => (reply += bytes.toString()));
  socket.on('error', () => {}); // from a byte sent too late
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ reply, afterMs: performance.now() - startedMs });
    });
  });
}

test.each([
  ['bodies', 'POST /v1/transactions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10000\r\n\r\n{'],
  [
    'bodies in chunks',
    'POST /v1/transactions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nffff\r\n{',
  ],
  ['headers', 'POST /v1/transactions HTTP/1.1\r\nhost: x\r\nx-slow: '],
])('%s: slow senders are disconnected, others are answered', async (_what, begin) => {
  cluster = await startCluster(1, { requestMs: REQUEST_MS });
  const [gateway] = cluster.gateways;
  const { rest } = gateway!.member;
  const slow = Promise.all(Array.from({ length: SENDERS }, () => sendSlowly(rest, begin)));
  let ended = false;
  void slow.then(() => (ended = true));
  let answered = 0;
  while (!ended) {
    const body = JSON.stringify({ operations: [{ key: 'k', type: 'counter', operation: 'add', arguments: [1] }] });
    const answer = await fetch(`http://${rest}/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
    answered++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { reply, afterMs } of await slow) {
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(afterMs).toBeGreaterThan(REQUEST_MS - 100);
  }
  expect(answered).toBeGreaterThan(5);
});
