// Standbys that follow the log of a shard on three real NATS servers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../../scripts/nats/servers.js';
import { shardEnvironment } from '../../store/environment.ts';
import type { LogTrouble } from '../log.ts';
import { append, applyPairs, entries, keep, put, readAll, remove, seal } from '../sample.ts';
import { connectNats } from './connection.ts';
import type { Nats } from './connection.ts';
import { LogFollower } from './log-follower.ts';
import type { RestoredShard } from './log-follower.ts';
import { StoredMirror } from './mirror.ts';
import { WINDOW } from './fenced-stream.ts';
import { accessTo, failuresIn, makeStreams, natsServer, replacing, startPipe } from './testing.ts';
import type { TestStreams } from './testing.ts';

/** Collects what a core would restore. */
class Collected implements RestoredShard {
  readonly host = this;
  readonly pairs: Record<string, string> = {};
  bytes = Buffer.alloc(0);

  restoreCheckpoint(pairs: Uint8Array): void {
    if (this.bytes.length > 0) throw new Error('a checkpoint after entries');
    applyPairs(this.pairs, pairs);
  }

  restore(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }
}

describe.skipIf(natsServer === null)('a standby', () => {
  let servers: NatsServers;
  let folder: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'claret-follower-'));
    servers = await startNatsServers({ program: natsServer! });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });

  async function begin(): Promise<TestStreams> {
    const streams = await makeStreams(servers);
    closing.push(() => streams.remove());
    return streams;
  }

  let followers = 0;
  function follow({ clusterName }: TestStreams, access = accessTo(servers), change = (nats: Nats): Nats => nats) {
    const interruptions: string[] = [];
    const follower = new LogFollower({
      environment: shardEnvironment,
      connect: async () => change(await connectNats(access, 'standby')),
      replicas: 3,
      clusterName,
      shard: 0,
      shards: 2,
      createMirror: () => StoredMirror.create(join(folder, `mirror-${++followers}`), { shard: 0, shards: 2 }),
      createShard: () => new Collected(),
      onInterrupted: ({ message }) => void interruptions.push(message),
    });
    follower.start();
    closing.push(() => follower.close());
    return { follower, interruptions };
  }

  const troubles: (LogTrouble | null)[] = [];
  const takingOver = (incarnation: number, knownId?: string) => ({
    incarnation,
    knownId,
    onTrouble: (trouble: LogTrouble | null) => void troubles.push(trouble),
  });

  test('has the entries as the owner appends them, takes over with none left to read, and shuts the owner out', async () => {
    const streams = await begin();
    const owner = await streams.open();
    await append(owner.log, entries(1, 3), 3);
    const { follower, interruptions } = follow(streams);
    await expect.poll(() => follower.position).toBe(3);
    await append(owner.log, entries(4, 9), 9);
    await expect.poll(() => follower.position).toBe(9);
    expect(follower.isReady).toBe(true);
    const taken = (await follower.takeOver(takingOver(7, owner.id)))!;
    closing.push(() => taken.opened.log.close());
    expect(taken.shard.bytes).toEqual(entries(1, 9));
    expect(taken.entries).toBe(0);
    expect(taken.opened.id).toBe(owner.id);
    expect(taken.opened.point()).toEqual({ log: owner.id, incarnation: 7, position: 9 });
    await append(taken.opened.log, entries(10, 11), 11);
    owner.log.append(entries(10, 10), 10, () => expect.unreachable('the earlier owner appended after the take-over'));
    await expect.poll(() => owner.troubles.at(-1)).toMatchObject({ kind: 'failed', code: 'another_writer' });
    expect(interruptions.filter((why) => why !== 'timeout')).toEqual([]);
    expect(failuresIn(troubles)).toEqual([]);
  });

  test('begins with the newest checkpoint, follows checkpoints that are sealed later, and its own start equals any other one', async () => {
    const streams = await begin();
    const owner = await streams.open();
    await append(owner.log, entries(1, 5), 5);
    await keep(owner.log, put('a', '1'));
    await seal(owner.log, put('header', '5'), 5);
    const { follower } = follow(streams);
    await append(owner.log, entries(6, 8), 8);
    await expect.poll(() => follower.position).toBe(8);
    await keep(owner.log, Buffer.concat([remove('a', 'b'), put('b', '2')]));
    await seal(owner.log, put('header', '8'), 8);
    await append(owner.log, entries(9, 12), 12);
    await keep(owner.log, put('c', 'of a checkpoint that is never sealed'));
    await expect.poll(() => follower.position).toBe(12);
    const taken = (await follower.takeOver(takingOver(7)))!;
    expect(taken.shard.pairs).toEqual({ a: '1', header: '5' });
    expect(taken.shard.bytes).toEqual(entries(6, 12));
    const { log } = taken.opened;
    expect(log.replayBytes).toBe(entries(9, 12).length);
    const pairs = { b: '2', c: 'of a checkpoint that is never sealed', header: '8' };
    expect(await readAll(log.snapshot(12))).toMatchObject({ pairs, entries: entries(9, 12) });
    await keep(log, put('d', '4'));
    await seal(log, put('header', '12'), 12);
    await append(log, entries(13, 13), 13);
    await log.close();
    const next = await streams.open({ incarnation: 9 });
    closing.push(() => next.log.close());
    expect(next.contents).toMatchObject({ pairs: { ...pairs, d: '4', header: '12' }, entries: entries(13, 13) });
  });

  test('begins with the whole checkpoint, also if a leader that was cut off tells of an earlier end of it', async () => {
    const streams = await begin();
    const { log } = await streams.open();
    closing.push(() => log.close());
    const { stream } = streams.names.checkpoint;
    const past = await streams.nats.jsm.streams.info(stream);
    await append(log, entries(1, 2), 2);
    await keep(log, put('a', '1'));
    await seal(log, put('header', '2'), 2);
    const { follower } = follow(streams, accessTo(servers), (nats) => {
      const info: typeof nats.jsm.streams.info = async (name) =>
        name === stream && !follower.isReady ? past : nats.jsm.streams.info(name);
      return { ...nats, jsm: replacing(nats.jsm, { streams: replacing(nats.jsm.streams, { info }) }) };
    });
    await expect.poll(() => follower.isReady).toBe(true);
    const taken = (await follower.takeOver(takingOver(7)))!;
    closing.push(() => taken.opened.log.close());
    expect(taken.shard.pairs).toEqual({ a: '1', header: '2' });
  });

  test('reads what the owner wrote last, if it had not yet', async () => {
    const streams = await begin();
    const owner = await streams.open();
    await append(owner.log, entries(1, 1), 1);
    const { follower } = follow(streams);
    await expect.poll(() => follower.isReady).toBe(true);
    owner.log.append(entries(2, 400, 2_000), 400, () => {});
    const taken = (await follower.takeOver(takingOver(7)))!;
    closing.push(() => taken.opened.log.close());
    // The owner was shut out before or after it had appended; nothing in between.
    const { position } = taken.opened.point();
    expect([1, 400]).toContain(position);
    expect(taken.shard.bytes).toEqual(position === 1 ? entries(1, 1) : Buffer.concat([entries(1, 1), entries(2, 400, 2_000)]));
  });

  test('begins anew where what it is to read was removed', async () => {
    const streams = await begin();
    const owner = await streams.open();
    closing.push(() => owner.log.close());
    await append(owner.log, entries(1, 4), 4);
    const { follower, interruptions } = follow(streams);
    await expect.poll(() => follower.isReady).toBe(true);
    // Later messages stand for some that were removed unread.
    await streams.nats.jsm.streams.purge(streams.names.log.stream, { seq: 1 });
    await streams.nats.js.publish(streams.names.log.entries, Buffer.from('no frame'));
    await expect.poll(() => interruptions).toContainEqual(expect.stringContaining('nothing has been removed'));
    expect(follower.isReady).toBe(false);
  });

  test('takes over with the newest checkpoint where what it had yet to read was removed', async () => {
    const streams = await begin();
    const owner = await streams.open();
    await append(owner.log, entries(1, 2), 2);
    const pipe = await startPipe(Number(servers.addresses[0]!.split(':')[1]));
    closing.push(() => pipe.close());
    const { follower } = follow(streams, { ...accessTo(servers), servers: [`127.0.0.1:${pipe.port}`] });
    await expect.poll(() => follower.position).toBe(2);
    pipe.shut();
    await append(owner.log, entries(3, 6), 6);
    await keep(owner.log, put('a', '1'));
    await seal(owner.log, put('header', '6'), 6);
    await append(owner.log, entries(7, 8), 8);
    const first = async () => (await streams.nats.jsm.streams.info(streams.names.log.stream)).state.first_seq;
    await expect.poll(first).toBeGreaterThan(WINDOW + 2);
    pipe.open();
    const taken = (await follower.takeOver(takingOver(7, owner.id)))!;
    closing.push(() => taken.opened.log.close());
    expect(taken.shard.pairs).toEqual({ a: '1', header: '6' });
    expect(taken.shard.bytes).toEqual(entries(7, 8));
    await append(taken.opened.log, entries(9, 9), 9);
    await owner.log.close();
  });

  test('that is closed waits for no consumer that the servers do not make', async () => {
    const streams = await begin();
    const owner = await streams.open();
    closing.push(() => owner.log.close());
    await append(owner.log, entries(1, 1), 1);
    let asked = 0;
    const get = () => {
      asked++;
      return new Promise<never>(() => {});
    };
    const { follower } = follow(streams, undefined, (nats) => ({
      ...nats,
      jsm: replacing(nats.jsm, { streams: replacing(nats.jsm.streams, { getMessage: () => Promise.resolve(null) }) }),
      js: replacing(nats.js, { consumers: replacing(nats.js.consumers, { get }) }),
    }));
    await expect.poll(() => asked).toBeGreaterThan(0);
    await follower.close();
  });

  test('has nothing to take over from a shard that never had an owner, and waits for its first', async () => {
    const streams = await begin();
    const { follower } = follow(streams);
    expect(await follower.takeOver(takingOver(1))).toBeUndefined();
    const other = follow(streams);
    const owner = await streams.open();
    closing.push(() => owner.log.close());
    await append(owner.log, entries(1, 2), 2);
    await expect.poll(() => other.follower.position).toBe(2);
    // A stream that is being made has no leader for a moment.
    expect(other.interruptions.filter((why) => why !== 'timeout')).toEqual([]);
  });
});
