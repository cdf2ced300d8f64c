// The topics of the timelines during a flood of posts.
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { EventStream } from '@claret/site/live/stream.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { LiveEvents } from '../api.ts';
import { startWorld, type World } from '../testing/world.ts';
import { LiveTopics } from './topics.ts';
import { startViewer } from './viewer.ts';

const unexpected = (error: unknown): never => {
  throw error;
};
let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

describe('A flood of posts', () => {
  test('does not increase the memory of a server whose viewers read slowly or not at all', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const topics = new LiveTopics(world.claret, unexpected);
    const author = await world.person('flooder');
    const input = { timeline_of: author.id, latest: true, trending: true, posts: [], users: [author.id] };
    const server = createServer((_, response) => {
      const stream = new EventStream<LiveEvents>(response, Date.now);
      stream.onClose(startViewer(world.claret, topics, stream, input));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const open = () => new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port }, resolve));
    const [silent, reading] = [await open(), await open()];
    silent.pause();
    let bytes = 0;
    reading.on('data', (chunk: Buffer) => (bytes += chunk.length));

    const flood = async (posts: number) => {
      for (let i = 0; i < posts; i += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, at) => world.writes(author, `flood ${i + at}`)));
        await new Promise((resolve) => setTimeout(resolve, 6));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      gc();
      return process.memoryUsage().heapUsed;
    };
    const before = await flood(1_000);
    const counts = [topics.size, topics.recordCount];
    const bytesBefore = bytes;
    const began = performance.now();
    const after = await flood(3_000);
    expect(after - before).toBeLessThan(2 * 1024 * 1024);
    expect([topics.size, topics.recordCount]).toEqual(counts);
    // two lists of fifty entries, ten times a second
    expect(bytes - bytesBefore).toBeLessThan(((performance.now() - began) / 100 + 3) * 2 * 50 * 70);
    expect(bytes).toBeGreaterThan(bytesBefore);

    silent.destroy();
    reading.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    topics.close();
  });
});
