// The link of a Redis client's socket, between two real sockets.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { linkOf } from './link.ts';

const REPLY = Buffer.alloc(16 << 20, 'x');

/** Both ends of a connection; the far one does not read yet, and counts what it reads. */
async function start() {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void near.destroy());
  const read = { bytes: 0 };
  far.pause();
  far.on('data', ({ length }) => (read.bytes += length));
  return { near, far, read, link: linkOf(near) };
}

test('a long reply leaves piece by piece, as its client reads', async () => {
  const { near, far, read, link } = await start();
  let drains = 0;
  near.on('drain', () => {
    drains++;
    link.writeRest!();
  });
  expect(link.write(REPLY)).toBe(false);
  expect(near.writableLength).toBeLessThan(REPLY.length / 8);
  far.resume();
  await expect.poll(() => read.bytes).toBe(REPLY.length);
  expect(drains).toBeGreaterThan(2); // each of them is progress
});

test('a link that ends sends what is left of the last reply', async () => {
  const { far, read, link } = await start();
  link.write(REPLY);
  link.end();
  far.resume();
  await once(far, 'close');
  expect(read.bytes).toBe(REPLY.length);
});
