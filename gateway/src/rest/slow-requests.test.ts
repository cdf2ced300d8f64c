// Callers who send slowly, over real sockets: each is ended in time, and meanwhile others are answered.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { splitAddress } from '../cluster.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const SENDERS = 200;
const REQUEST_MS = 1_500;
/** on a busy machine */
const LATE_MS = 3_000;

let cluster: TestCluster | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await cluster?.close();
  cluster = undefined;
});

/** Sends a byte of its request now and then; resolves with what it was told, and after how long, once its connection ends. */
function sendSlowly(rest: string, begin: string): Promise<{ told: string; afterMs: number }> {
  const startedMs = performance.now();
  const { host, port } = splitAddress(rest);
  let timer: NodeJS.Timeout | undefined;
  const socket = connect({ host, port }, () => {
    socket.write(begin);
    timer = setInterval(() => socket.write('x'), 100);
  });
  sockets.push(socket);
  let told = '';
  socket.on('data', (bytes: Buffer) => (told += bytes.toString()));
  socket.on('error', () => {}); // a byte that came too late
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ told, afterMs: performance.now() - startedMs });
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
])(
  '%s: 200 senders are ended, others are answered',
  async (_what, begin) => {
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
    for (const { told, afterMs } of await slow) {
      expect(told).toMatch(/^HTTP\/1\.1 408 /);
      expect(afterMs).toBeGreaterThan(REQUEST_MS - 100);
      expect(afterMs).toBeLessThan(REQUEST_MS + LATE_MS);
    }
    expect(answered).toBeGreaterThan(5);
  },
  30_000,
);
