// Servers of a replicated log that freeze and die. An election takes a few seconds, so these tests do too.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../../scripts/nats/servers.js';
import type { Log } from '../log.ts';
import { append, entries, entry, keep, put, seal } from '../sample.ts';
import { failuresIn, makeStreams, natsServer } from './testing.ts';
import type { TestStreams } from './testing.ts';

const PATIENT_MS = 600_000;
describe.skipIf(natsServer === null)('with three NATS servers,', () => {
  let servers: NatsServers;
  let streams: TestStreams;
  beforeEach(async () => {
    servers = await startNatsServers({ program: natsServer! });
    streams = await makeStreams(servers);
  });
  afterEach(async () => {
    await streams.remove();
    await servers.stop();
  });

  /** The servers that hold the stream's log, its leader first. */
  const leaderFirst = async (): Promise<number[]> => {
    const { cluster } = await streams.nats.jsm.streams.info(streams.names.log.stream);
    const leader = Number(/\d+/.exec(cluster!.leader!)![0]);
    return [leader, ...[0, 1, 2].filter((server) => server !== leader)];
  };

  test.each([
    ['frozen', 'SIGSTOP'],
    ['dead', 'SIGKILL'],
  ] as const)(
    'while two are %s the log is unavailable and tells nothing, and it recovers by itself',
    async (_, signal) => {
      const { log, troubles } = await streams.open();
      await append(log, entry(1), 1);
      const away = (await leaderFirst()).slice(0, 2);
      for (const server of away) await servers.kill(server, signal);
      const durable: number[] = [];
      log.append(entry(2), 2, (position) => void durable.push(position));
      await expect.poll(() => troubles.at(-1)).toMatchObject({ kind: 'unavailable' });
      log.append(entry(3), 3, (position) => void durable.push(position));
      expect(durable).toEqual([]);
      for (const server of away) {
        if (signal === 'SIGSTOP') await servers.kill(server, 'SIGCONT');
        else servers.start(server);
      }
      await expect.poll(() => durable).toEqual([2, 3]);
      await expect.poll(() => troubles.at(-1)).toBeNull();
      expect(troubles.map((trouble) => trouble?.kind ?? null)).toEqual(troubles.map((_, at) => (at % 2 === 0 ? 'unavailable' : null)));
      await log.close();
      const again = await streams.open();
      expect(again.contents.entries).toEqual(Buffer.from(entries(1, 3)));
      await again.log.close();
    },
    PATIENT_MS,
  );

  test(
    'each of which is killed once while entries and checkpoints are written, nothing acknowledged is lost',
    async () => {
      const { log, troubles } = await streams.open();
      const writer = write(log);
      for (const server of [0, 1, 2]) {
        const before = writer.acknowledged();
        await expect.poll(() => writer.acknowledged() - before).toBeGreaterThan(200);
        await servers.kill(server);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        servers.start(server);
        await servers.ready();
      }
      const before = writer.acknowledged();
      await expect.poll(() => writer.acknowledged() - before).toBeGreaterThan(200);
      const { acknowledged, given, sealed } = await writer.stop();
      expect(failuresIn(troubles)).toEqual([]);
      await log.close();
      for (const server of [0, 1, 2]) await servers.kill(server);
      for (const server of [0, 1, 2]) servers.start(server);
      await servers.ready();
      const { contents, log: again } = await streams.open();
      expect(Number(contents.pairs['sealed'])).toBeGreaterThanOrEqual(sealed);
      const from = Number(contents.pairs['position']);
      expect(from + contents.count).toBeGreaterThanOrEqual(acknowledged);
      expect(from + contents.count).toBeLessThanOrEqual(given);
      expect(contents.entries.equals(entries(from + 1, from + contents.count))).toBe(true);
      await again.close();
    },
    PATIENT_MS,
  );
});

/** Appends entries, and takes a checkpoint now and then, until it is stopped. */
function write(log: Log) {
  let [given, acknowledged, sealed] = [0, 0, 0];
  let stopping = false;
  const appending = (async () => {
    while (!stopping) {
      await new Promise<void>((resolve) => log.append(entry(++given), given, (position) => ((acknowledged = position), resolve())));
      for (let n = 0; n < 20; n++) log.append(entry(++given), given, (position) => void (acknowledged = position));
    }
  })();
  const sealing = (async () => {
    while (!stopping) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const position = acknowledged;
      if (position === 0) continue;
      await keep(log, put('part', 'p'.repeat(10_000)));
      await seal(log, Buffer.concat([put('sealed', String(sealed + 1)), put('position', String(position))]), position);
      sealed++;
    }
  })();
  return {
    acknowledged: () => acknowledged,
    async stop() {
      stopping = true;
      await Promise.all([appending, sealing]);
      return { given, acknowledged, sealed };
    },
  };
}
