import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PersistMode } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../../scripts/nats/servers.js';
import { LogDamaged, LogRefused } from '../log.ts';
import { append, entries, entry, keep, put, seal } from '../sample.ts';
import { logContract } from '../testing.ts';
import { EntriesReader } from './entries-reader.ts';
import { fence } from './fence.ts';
import { WINDOW } from './fenced-stream.ts';
import { NO_TAIL, cutEntries, cutPairs, encodeFrame } from './frames.ts';
import type { Piece, Tail } from './frames.ts';
import type { Nats } from './connection.ts';
import { readMessages } from './read-messages.ts';
import { wantedConfig } from './stream-config.ts';
import { accessTo, failuresIn, makeStreams, natsServer, replacing, startPipe } from './testing.ts';
import type { TestStreams } from './testing.ts';

const WRITER = { shard: 0, shards: 2 };

/** Publishes a message as a writer does that holds the end of the stream. */
async function publish(streams: TestStreams, subject: string, incarnation: number, tail: Tail, piece: Piece): Promise<void> {
  const payload = encodeFrame({ ...WRITER, incarnation }, tail, piece);
  await streams.nats.js.publish(subject, payload, { expect: { lastSequence: tail.sequence } });
}

/** Becomes the stream's writer, and returns its end. */
const takeOver = (streams: TestStreams, kind: 'log' | 'checkpoint', incarnation: number, body: object): Promise<Tail> =>
  fence({
    nats: streams.nats,
    stream: streams.names[kind].stream,
    subject: streams.names[kind].start,
    fillerSubject: kind === 'log' ? streams.names.log.entries : streams.names.checkpoint.part,
    writer: { ...WRITER, incarnation },
    token: `test-${incarnation}`,
    bodyAfter: () => Promise.resolve(Buffer.from(JSON.stringify(body))),
  });

describe.skipIf(natsServer === null)('with three NATS servers,', () => {
  let servers: NatsServers;
  const made: TestStreams[] = [];
  beforeAll(async () => {
    servers = await startNatsServers({ program: natsServer! });
  });
  afterEach(async () => {
    for (const streams of made.splice(0)) await streams.remove();
  });
  afterAll(() => servers.stop());

  const begin = async (): Promise<TestStreams> => {
    const streams = await makeStreams(servers);
    made.push(streams);
    return streams;
  };

  logContract('JetStreamLog', async () => {
    const streams = await makeStreams(servers);
    return {
      open: async () => {
        const { log, contents, troubles } = await streams.open();
        expect(failuresIn(troubles)).toEqual([]);
        return { log, kept: contents };
      },
      remove: () => streams.remove(),
    };
  });

  describe('a start is refused, with what is wrong and what to do:', () => {
    test('a stream with a limit', async () => {
      const streams = await begin();
      await (await streams.open()).log.close();
      await streams.nats.jsm.streams.update(streams.names.log.stream, { max_msgs: 1000 });
      const refused = streams.open();
      await expect(refused).rejects.toThrow(LogRefused);
      await expect(refused).rejects.toThrow(/test-\d+-0-log is not configured.*max_msgs is 1000, and has to be -1/);
    });

    test('a stream that acknowledges what is on no disk, with fewer replicas', async () => {
      const streams = await begin();
      const { stream, subjects } = streams.names.log;
      await streams.nats.jsm.streams.add({ ...wantedConfig(stream, subjects, 1), persist_mode: PersistMode.Async });
      await expect(streams.open()).rejects.toThrow(/num_replicas is 1, and has to be 3; persist_mode is "async", and has to be "default"/);
    });

    test('a missing stream of a shard that had one', async () => {
      const streams = await begin();
      const { log, id } = await streams.open();
      await log.close();
      for (const kind of ['checkpoint', 'log'] as const) {
        await streams.nats.jsm.streams.delete(streams.names[kind].stream);
        await expect(streams.open({ knownId: id })).rejects.toThrow(/is missing, although this shard had a log/);
        await expect(streams.nats.jsm.streams.info(streams.names[kind].stream), 'it was not created').rejects.toThrow(/not found/);
      }
    });

    test('another log than the known one', async () => {
      const streams = await begin();
      const { log, id } = await streams.open();
      await log.close();
      await expect(streams.open({ knownId: 'other' })).rejects.toThrow(new RegExp(`holds the log ${id}, and this shard had the log other`));
    });

    test('an earlier start than the last one', async () => {
      const streams = await begin();
      await (await streams.open({ incarnation: 7 })).log.close();
      await expect(streams.open({ incarnation: 7 })).rejects.toThrow(/was written by start 7 of shard 0, and this is start 7/);
    });

    test("another shard's stream", async () => {
      const streams = await begin();
      await (await streams.open()).log.close();
      await expect(streams.open({ shards: 3 })).rejects.toThrow(/holds shard 0 of 2, and this gateway is shard 0 of 3/);
    });

    test('a wrong token', async () => {
      const streams = await begin();
      await expect(streams.open({ access: { ...accessTo(servers), token: 'wrong' } })).rejects.toThrow(/does not let this gateway in/);
    });
  });

  test('secrets and certificates can come from a file of options', async () => {
    const streams = await begin();
    const file = join(tmpdir(), `claret-nats-options-${process.pid}.json`);
    const withFile = (options: object) => {
      writeFileSync(file, JSON.stringify(options));
      return streams.open({ access: { ...accessTo(servers), token: '', optionsFile: file } });
    };
    await expect(withFile({ password: 'x' })).rejects.toThrow(/does not hold the options.*there is no 'password'/);
    await (await withFile({ token: servers.token })).log.close();
    rmSync(file);
  });

  test('a single server keeps a log with one replica, and a start that wants three is refused', async () => {
    const single = await startNatsServers({ program: natsServer!, count: 1 });
    const streams = await makeStreams(single);
    try {
      const first = await streams.open({ replicas: 1 });
      await append(first.log, entries(1, 3), 3);
      await first.log.close();
      const second = await streams.open({ replicas: 1 });
      expect(second.contents.count).toBe(3);
      await second.log.close();
      await expect(streams.open()).rejects.toThrow(/num_replicas is 1, and has to be 3/);
    } finally {
      await streams.remove();
      await single.stop();
    }
  });

  test('a reader without an end follows the log as it grows', async () => {
    const streams = await begin();
    const { log } = await streams.open();
    const { log: names } = streams.names;
    const reader = new EntriesReader({ names, own: WRITER, from: NO_TAIL, position: 0, upTo: Infinity });
    const messages = readMessages(streams.nats, names.stream, 0, Infinity);
    const next = async () => {
      for (;;) {
        const { value, done } = await messages.next();
        if (done === true) throw new Error('it ended');
        const piece = reader.take(value);
        if (piece !== undefined) return Buffer.from(piece.entries);
      }
    };
    for (let n = 1; n <= 3; n++) {
      await append(log, entry(n), n);
      expect(await next()).toEqual(Buffer.from(entry(n)));
    }
    await messages.return(undefined);
    await log.close();
  });

  test('few messages are read while the servers make no consumers, and with one if some were removed', async () => {
    const streams = await begin();
    const { log } = await streams.open();
    for (let n = 1; n <= 3; n++) await append(log, entry(n), n);
    const { stream } = streams.names.log;
    const { last_seq: last } = (await streams.nats.jsm.streams.info(stream)).state;
    let asked = 0;
    const get = (...args: Parameters<Nats['js']['consumers']['get']>) => {
      asked++;
      return streams.nats.js.consumers.get(...args);
    };
    const nats = { ...streams.nats, js: replacing(streams.nats.js, { consumers: replacing(streams.nats.js.consumers, { get }) }) };
    const read = async (after: number) => {
      const sequences: number[] = [];
      for await (const { sequence } of readMessages(nats, stream, after, last)) sequences.push(sequence);
      return sequences;
    };
    const all = Array.from({ length: last }, (_, at) => at + 1);
    expect([await read(0), await read(last - 2), asked]).toEqual([all, all.slice(-2), 0]);
    await streams.nats.jsm.streams.purge(stream, { seq: 3 });
    expect([await read(0), asked]).toEqual([all.slice(2), 1]);
    await log.close();
  });

  describe('of two writers,', () => {
    test('the earlier one can append nothing, tells nothing, and stops; the later one has everything acknowledged', async () => {
      const streams = await begin();
      const first = await streams.open();
      await append(first.log, entry(1), 1);
      const second = await streams.open();
      expect(second.contents.entries).toEqual(Buffer.from(entry(1)));
      let told = 0;
      first.log.append(entry(99), 2, () => void told++);
      await expect.poll(() => failuresIn(first.troubles)).toMatchObject([{ kind: 'failed', code: 'another_writer' }]);
      expect(told).toBe(0);
      await append(second.log, entry(2), 2);
      const third = await streams.open();
      second.log.append(entry(98), 3, () => void told++);
      await expect.poll(() => failuresIn(second.troubles)).toMatchObject([{ kind: 'failed', code: 'another_writer' }]);
      expect(third.contents.entries).toEqual(Buffer.from(entries(1, 2)));
      await append(third.log, entry(3), 3);
      expect(told).toBe(0);
      for (const { log } of [first, second, third]) await log.close();
      const last = await streams.open();
      expect(last.contents.count).toBe(3);
      await last.log.close();
    });

    test('the earlier one adds nothing to a checkpoint either', async () => {
      const streams = await begin();
      const first = await streams.open();
      await keep(first.log, put('a', '1'));
      const second = await streams.open();
      first.log.keep(put('a', 'late'), () => {});
      await expect.poll(() => failuresIn(first.troubles)).toMatchObject([{ kind: 'failed', code: 'another_writer' }]);
      await keep(second.log, put('b', '1'));
      for (const { log } of [first, second]) await log.close();
      const third = await streams.open();
      expect(third.contents.pairs).toEqual({ a: '1', b: '1' });
      await third.log.close();
    });
  });

  describe('what breaks the chain stops the log, and every start:', () => {
    test('a foreign message at the end', async () => {
      const streams = await begin();
      const opened = await streams.open();
      await append(opened.log, entry(1), 1);
      await streams.nats.js.publish(streams.names.log.entries, Buffer.from('foreign'));
      opened.log.append(entry(2), 2, () => {});
      await expect.poll(() => failuresIn(opened.troubles)).toMatchObject([{ kind: 'failed', code: 'another_writer' }]);
      await opened.log.close();
      const damaged = streams.open();
      await expect(damaged).rejects.toThrow(LogDamaged);
      await expect(damaged).rejects.toThrow(new RegExp(`test-\\d+-0-log, message ${WINDOW + 2}: not a segment of a log`));
    });

    test('a foreign message in the middle', async () => {
      const streams = await begin();
      await (await streams.open()).log.close();
      const tail = await takeOver(streams, 'log', 2, { id: 'x', starts: [[2, 0]] });
      await publish(streams, streams.names.log.entries, 2, { ...tail, hash: new Uint8Array(16) }, { last: 1, body: [entry(1)] });
      await expect(streams.open({ incarnation: 3 })).rejects.toThrow(
        new RegExp(`message ${2 * WINDOW + 1}: it does not follow the message before it`),
      );
    });

    test('entries that are missing in the middle', async () => {
      const streams = await begin();
      const { log } = await streams.open();
      await append(log, entry(1), 1);
      await log.close();
      await (await streams.open()).log.close();
      await streams.nats.jsm.streams.purge(streams.names.log.stream, { filter: streams.names.log.entries, seq: WINDOW + 2 });
      await expect(streams.open()).rejects.toThrow(new RegExp(`message 2: messages 2 to ${WINDOW + 1} are missing`));
    });

    test('missing pairs of a checkpoint', async () => {
      const streams = await begin();
      const { log } = await streams.open();
      await append(log, entry(1), 1);
      await keep(log, put('a', '1'));
      await seal(log, put('b', '1'), 1);
      await log.close();
      await streams.nats.jsm.streams.purge(streams.names.checkpoint.stream, { filter: streams.names.checkpoint.part });
      await expect(streams.open()).rejects.toThrow(
        new RegExp(`test-\\d+-0-checkpoint, message 2: messages 2 to ${WINDOW + 1} are missing`),
      );
    });
  });

  describe('what a dead writer left half done is left out, by every start:', () => {
    test('an entry in several messages, of which the last is missing', async () => {
      const streams = await begin();
      const { log, id } = await streams.open();
      await append(log, entry(1), 1);
      await log.close();
      const tail = await takeOver(streams, 'log', 2, { id, starts: [[2, 1]] });
      const [first] = cutEntries(entry(2, 2_000_000), 1);
      await publish(streams, streams.names.log.entries, 2, tail, first!);
      const next = await streams.open({ incarnation: 3 });
      expect(next.contents.entries).toEqual(Buffer.from(entry(1)));
      await append(next.log, entry(2, 3_000_000), 2);
      await next.log.close();
      const last = await streams.open({ incarnation: 4 });
      expect(last.contents.entries.equals(Buffer.concat([entry(1), entry(2, 3_000_000)]))).toBe(true);
      await last.log.close();
    });

    test('the last pairs of a checkpoint that was not sealed', async () => {
      const streams = await begin();
      const { log } = await streams.open();
      await append(log, entry(1), 1);
      await keep(log, put('a', '1'));
      await log.close();
      const tail = await takeOver(streams, 'checkpoint', 2, { sealed: 0 });
      const [last] = cutPairs(put('a', 'unsealed'), tail.last + 1);
      await publish(streams, streams.names.checkpoint.last, 2, tail, last!);
      for (const incarnation of [3, 4]) {
        const { log: later, contents } = await streams.open({ incarnation });
        expect(contents.pairs['a']).toBe('1');
        if (incarnation === 3) await seal(later, put('b', '1'), 1);
        await later.close();
      }
    });
  });

  test('many small appends are acknowledged in order, in fewer messages, and all are there afterwards', async () => {
    const streams = await begin();
    const { log } = await streams.open();
    const COUNT = 5_000;
    let next = 1;
    let inOrder = true;
    await new Promise<void>((resolve) => {
      for (let n = 1; n <= COUNT; n++)
        log.append(entry(n), n, (position) => {
          inOrder &&= position === next++;
          if (position === COUNT) resolve();
        });
    });
    expect(inOrder).toBe(true);
    const { state } = await streams.nats.jsm.streams.info(streams.names.log.stream);
    expect(state.messages).toBeLessThan(COUNT / 2);
    await log.close();
    const again = await streams.open();
    expect(again.contents.entries.equals(entries(1, COUNT))).toBe(true);
    expect(again.log.replayBytes).toBe(entries(1, COUNT).length);
    await again.log.close();
  });

  test('a checkpoint removes the messages before it, and the starts are still known', async () => {
    const streams = await begin();
    const first = await streams.open();
    for (let n = 1; n <= 5; n++) await append(first.log, entry(n, 200_000), n);
    const point = first.point();
    await seal(first.log, put('a', '1'), 5);
    const infoOf = () => streams.nats.jsm.streams.info(streams.names.log.stream);
    await expect.poll(async () => (await infoOf()).state.messages).toBe(1); // the seal
    await first.log.close();
    const second = await streams.open();
    expect(second.contents).toEqual({ pairs: { a: '1' }, entries: Buffer.alloc(0), count: 0 });
    expect(second.id).toBe(first.id);
    expect(second.hasBeenAt(point)).toBe(true);
    expect(second.hasBeenAt({ ...point, position: 6 })).toBe(false);
    expect(second.hasBeenAt({ ...point, log: 'other' })).toBe(false);
    await second.log.close();
  });

  test('checkpoints that overwrite each other do not grow without bound, and nothing is lost', async () => {
    const streams = await begin();
    const { log } = await streams.open({ rebaseBytesLeast: 100_000 });
    await append(log, entry(1), 1);
    await keep(log, put('once', 'kept'));
    for (let round = 1; round <= 40; round++) {
      for (const key of ['a', 'b', 'c']) await keep(log, put(key, `${key}${round}`.repeat(1000)));
      await append(log, entry(1 + round), 1 + round);
      await seal(log, put('last', String(round)), 1 + round);
    }
    const infoOf = () => streams.nats.jsm.streams.info(streams.names.checkpoint.stream);
    await expect.poll(async () => (await infoOf()).state.bytes).toBeLessThan(200_000);
    await log.close();
    const { log: again, contents } = await streams.open();
    expect(contents.pairs).toEqual({
      once: 'kept',
      last: '40',
      ...Object.fromEntries(['a', 'b', 'c'].map((key) => [key, `${key}40`.repeat(1000)])),
    });
    await again.close();
  });

  test('where answers are lost, each entry is acknowledged once and stored once', async () => {
    const streams = await begin();
    const [address] = servers.addresses;
    const pipe = await startPipe(Number(address!.split(':')[1]));
    const { log, troubles } = await streams.open({ access: { ...accessTo(servers), servers: [`127.0.0.1:${pipe.port}`] } });
    const durable: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = durable.length;
      for (let n = before + 1; n <= before + 5; n++) log.append(entry(n), n, (position) => void durable.push(position));
      pipe.deafen(); // what was sent arrives, and no answer comes back
      for (let n = before + 6; n <= before + 30; n++) log.append(entry(n), n, (position) => void durable.push(position));
      await new Promise((resolve) => setTimeout(resolve, 100));
      pipe.breakOff();
      await expect.poll(() => durable.length).toBe(before + 30);
    }
    expect(durable).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
    expect(failuresIn(troubles)).toEqual([]);
    await log.close();
    const again = await streams.open();
    expect(again.contents.entries).toEqual(Buffer.from(entries(1, 90)));
    await again.log.close();
    await pipe.close();
  });
});
