// Writers that are shut out of a stream with messages under way, on three real NATS servers. A message that is late is sent at that moment.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../../scripts/nats/servers.js';
import { append, entries, keep, put, seal } from '../sample.ts';
import type { Nats } from './connection.ts';
import { FencedStream, WINDOW, isRefusal } from './fenced-stream.ts';
import { cutEntries, cutPairs, encodeFrame } from './frames.ts';
import type { Piece, Tail } from './frames.ts';
import { segmentHash } from '../segment.ts';
import { beginStart } from './start.ts';
import { makeStreams, natsServer, replacing } from './testing.ts';
import type { TestStreams } from './testing.ts';

const WRITER = { shard: 0, shards: 2 };

interface Late {
  payload: Uint8Array;
  subject: string;
  /** the message that it follows */
  after: number;
}

/** The messages that a writer of that incarnation sends behind `tail`. */
function underWay(incarnation: number, subject: string, tail: Tail, pieces: Iterable<Piece>): Late[] {
  const messages: Late[] = [];
  let end = tail;
  for (const piece of pieces) {
    const payload = encodeFrame({ ...WRITER, incarnation }, end, piece);
    messages.push({ payload, subject, after: end.sequence });
    end = { sequence: end.sequence + 1, last: piece.last, hash: segmentHash(payload) };
  }
  return messages;
}

describe.skipIf(natsServer === null)('of a writer that is shut out', () => {
  let servers: NatsServers;
  const made: TestStreams[] = [];
  beforeAll(async () => {
    servers = await startNatsServers({ program: natsServer! });
  });
  afterEach(async () => {
    for (const streams of made.splice(0)) await streams.remove();
  });
  afterAll(() => servers.stop());

  async function begin(): Promise<TestStreams> {
    const streams = await makeStreams(servers);
    made.push(streams);
    return streams;
  }

  const send = ({ nats }: Pick<TestStreams, 'nats'>, { subject, payload, after }: Late) =>
    nats.js.publish(subject, payload, { expect: { lastSequence: after } });

  /** The servers, with something that arrives there behind each first message of a start. */
  function withLate(nats: Nats, late: (subject: string) => Promise<unknown>): Nats {
    const publish: Nats['js']['publish'] = async (subject, payload, options) => {
      const answer = await nats.js.publish(subject, payload, options);
      if (subject.endsWith('.start')) await late(subject);
      return answer;
    };
    return { ...nats, js: replacing(nats.js, { publish }) };
  }

  const endOf = async ({ nats }: TestStreams, stream: string) => (await nats.jsm.streams.info(stream)).state.last_seq;

  /** The place behind which the next message of the writer would be. */
  async function tailOf(streams: TestStreams, stream: string, last: number): Promise<Tail> {
    const sequence = await endOf(streams, stream);
    const message = await streams.nats.jsm.streams.getMessage(stream, { seq: sequence });
    return { sequence, last, hash: segmentHash(message!.data) };
  }

  test('no entry counts that arrives behind the first message of the next one, whoever reads', async () => {
    const streams = await begin();
    const { log: names } = streams.names;
    const first = await streams.open({ incarnation: 1 });
    await append(first.log, entries(1, 3), 3);
    const tail = await tailOf(streams, names.stream, 3);
    const [replaced, ...late] = underWay(1, names.entries, tail, [...cutEntries(entries(4, 4), 3), ...cutEntries(entries(5, 5), 4)]);
    const start = { names: streams.names, writer: { ...WRITER, incarnation: 2 }, knownId: first.id };
    const nats = withLate(streams.nats, async (subject) => {
      if (subject !== names.start) return;
      await expect(send(streams, replaced!)).rejects.toSatisfy(isRefusal);
      for (const message of late) await send(streams, message);
    });
    const { log } = await beginStart({ nats, ...start });
    const [stored] = late;
    const found = await streams.nats.jsm.streams.getMessage(names.stream, { seq: stored!.after + 1 });
    expect(Buffer.from(found!.data)).toEqual(Buffer.from(stored!.payload));
    expect(log.sequence).toBe(tail.sequence + WINDOW);
    expect(await endOf(streams, names.stream)).toBe(log.sequence);

    const third = await streams.open({ incarnation: 3 });
    expect(third.contents.entries).toEqual(Buffer.from(entries(1, 3)));
    await append(third.log, entries(4, 6), 6);
    const fourth = await streams.open({ incarnation: 4 });
    expect(fourth.contents.entries).toEqual(Buffer.from(entries(1, 6)));
    for (const opened of [first, third, fourth]) await opened.log.close();
  });

  test('no pairs of a checkpoint count either', async () => {
    const streams = await begin();
    const { checkpoint: names } = streams.names;
    const first = await streams.open({ incarnation: 1 });
    await keep(first.log, put('a', '1'));
    await seal(first.log, put('header', '1'), 0);
    const tail = await tailOf(streams, names.stream, 2);
    const late = underWay(1, names.part, tail, [...cutPairs(put('a', 'replaced'), 3), ...cutPairs(put('a', 'late'), 4)]).slice(1);
    const nats = withLate(streams.nats, async (subject) => {
      if (subject === names.start) for (const message of late) await send(streams, message);
    });
    await beginStart({ nats, names: streams.names, writer: { ...WRITER, incarnation: 2 }, knownId: first.id });
    const third = await streams.open({ incarnation: 3 });
    expect(third.contents.pairs).toEqual({ a: '1', header: '1' });
    await keep(third.log, put('b', '3'));
    const fourth = await streams.open({ incarnation: 4 });
    expect(fourth.contents.pairs).toEqual({ a: '1', header: '1', b: '3' });
    for (const opened of [first, third, fourth]) await opened.log.close();
  });

  test('nothing can be stored once the next one has begun: all places that its messages could take are filled', async () => {
    const streams = await begin();
    const { log: names } = streams.names;
    const first = await streams.open({ incarnation: 1 });
    await append(first.log, entries(1, 1), 1);
    const tail = await tailOf(streams, names.stream, 1);
    const pieces = Array.from({ length: WINDOW }, (_, at) => [...cutEntries(entries(2 + at, 2 + at), 1 + at)]).flat();
    const late = underWay(1, names.entries, tail, pieces);
    const second = await streams.open({ incarnation: 2 });
    for (const message of late) await expect(send(streams, message)).rejects.toSatisfy(isRefusal);
    await append(second.log, entries(2, 2), 2);
    for (const opened of [first, second]) await opened.log.close();
  });

  test('a start that died before it had filled the places behind it is followed by the next one', async () => {
    const streams = await begin();
    const { log: names } = streams.names;
    const first = await streams.open({ incarnation: 1 });
    await append(first.log, entries(1, 2), 2);
    const dying = withLate(streams.nats, () => Promise.reject(Object.assign(new Error('it dies here'), { name: 'LogRefused' })));
    const start = { names: streams.names, writer: { ...WRITER, incarnation: 2 }, knownId: first.id };
    const before = await endOf(streams, names.stream);
    await expect(beginStart({ nats: dying, ...start })).rejects.toThrow('it dies here');
    expect(await endOf(streams, names.stream)).toBe(before + 1);
    const third = await streams.open({ incarnation: 3 });
    expect(third.contents.entries).toEqual(Buffer.from(entries(1, 2)));
    await append(third.log, entries(3, 3), 3);
    for (const opened of [first, third]) await opened.log.close();
  });

  test('a start names the one before it, also if a leader that was cut off first tells of an earlier one, and the first answer is lost', async () => {
    const streams = await begin();
    const { log: names } = streams.names;
    const first = await streams.open({ incarnation: 1 });
    const { nats } = streams;
    const past = await nats.jsm.streams.getMessage(names.stream, { last_by_subj: names.start });
    const second = await streams.open({ incarnation: 2 });
    let isPast = true;
    const getMessage: Nats['jsm']['streams']['getMessage'] = async (stream, query) => {
      if (!('last_by_subj' in query) || query.last_by_subj !== names.start || !isPast) return nats.jsm.streams.getMessage(stream, query);
      return past;
    };
    const info: Nats['jsm']['streams']['info'] = async (...asked) => {
      // The next leader answers from the second try on.
      if (++looks > 1) isPast = false;
      return nats.jsm.streams.info(...asked);
    };
    let looks = 0;
    const publish: Nats['js']['publish'] = async (...sent) => {
      const answer = await nats.js.publish(...sent);
      if (sent[0] === names.start && ++starts === 1) throw new Error('its answer is lost');
      return answer;
    };
    let starts = 0;
    const asked: Nats = {
      ...nats,
      js: replacing(nats.js, { publish }),
      jsm: replacing(nats.jsm, { streams: replacing(nats.jsm.streams, { getMessage, info }) }),
    };
    const third = { ...WRITER, incarnation: 3 };
    const { lineage, log: end } = await beginStart({ nats: asked, names: streams.names, writer: third, knownId: first.id });
    expect(lineage.starts.map(([incarnation]) => incarnation)).toEqual([1, 2, 3]);
    const stored = await nats.jsm.streams.getMessage(names.stream, { seq: end.sequence - (WINDOW - 1) });
    expect(Buffer.from(end.hash)).toEqual(Buffer.from(segmentHash(stored!.data)));
    for (const opened of [first, second]) await opened.log.close();
  });

  test('a start finds that a later one has begun behind it', async () => {
    const streams = await begin();
    const first = await streams.open({ incarnation: 1 });
    const start = { names: streams.names, knownId: first.id };
    const overtaken = withLate(streams.nats, () =>
      beginStart({ nats: streams.nats, ...start, writer: { ...WRITER, incarnation: 3 } }).then(() => {}),
    );
    const late = beginStart({ nats: overtaken, ...start, writer: { ...WRITER, incarnation: 2 } });
    await expect(late).rejects.toThrow(/was written by start 3 of shard 0, and this is start 2/);
    await first.log.close();
  });

  test('at most a certain number of messages is under way, and a seal alone', async () => {
    const streams = await begin();
    const { log: names } = streams.names;
    const start = { names: streams.names, writer: { ...WRITER, incarnation: 2 }, knownId: undefined };
    await (await streams.open({ incarnation: 1 })).log.close();
    const { log: tail, token, writer } = await beginStart({ nats: streams.nats, ...start });
    let sent = 0;
    const ahead: number[] = [];
    let aheadOfSeal: number | undefined;
    const publish: Nats['js']['publish'] = async (subject, payload, options) => {
      ahead.push(++sent - done);
      if (subject === names.seal) aheadOfSeal = sent - done;
      return streams.nats.js.publish(subject, payload, options);
    };
    let done = 0;
    const stream = new FencedStream({
      nats: { ...streams.nats, js: replacing(streams.nats.js, { publish }) },
      stream: names.stream,
      tail,
      writer,
      token,
      onSilent: () => {},
      onFailed: (_code, message) => expect.unreachable(message),
      onProgress: () => {},
    });
    const body = [Buffer.from('x')];
    for (let at = 0; at < 20; at++) stream.append(names.entries, { last: tail.last, body }, () => void done++);
    stream.appendAlone(names.seal, { last: tail.last, body }, () => void done++);
    for (let at = 0; at < 20; at++) stream.append(names.entries, { last: tail.last, body }, () => void done++);
    await expect.poll(() => done).toBe(41);
    expect(Math.max(...ahead)).toBe(WINDOW);
    expect(aheadOfSeal).toBe(1);
  });
});
