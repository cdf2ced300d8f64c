import { describe, expect, it } from 'vitest';
import { ClaretError } from '../errors/claret-error.ts';
import { freshSeed, randomFrom, type Random } from '../testing/random.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { Kind } from '../values/values.ts';
import { claretService } from './contract.ts';
import type { ChainHandler } from './chain-reader.ts';
import { ServerFrameReader, type FrameHandler, type NativeHandler } from './server-frame.ts';
import type { WarrantyHandler } from './warranty-reader.ts';
import { FrameWriter } from './writer.ts';
import * as frames from './client-frame.ts';

const { requestDeserialize, responseSerialize } = claretService['Session']!;
const decodeClientFrame = (bytes: Uint8Array): any => requestDeserialize(Buffer.from(bytes));

const wideOf = (value: bigint): frames.Wide => ({ high: Number(value >> 32n), low: Number(value & 0xffffffffn) });
const bigOf = ({ high, low }: frames.Wide) => (BigInt(high) << 32n) | BigInt(low);

const randomBytes = (random: Random, length: number) => Uint8Array.from({ length }, () => random.below(256));

const EDGES = [
  0n,
  1n,
  -1n,
  63n,
  -64n,
  64n,
  2n ** 30n,
  -(2n ** 30n) - 1n,
  2n ** 32n,
  2n ** 52n,
  2n ** 53n - 1n,
  1n - 2n ** 53n,
  -(2n ** 53n),
  2n ** 53n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

function randomUnsigned(random: Random): bigint {
  const bits = random.below(65);
  let value = 0n;
  for (let i = 0; i < bits; i++) value = (value << 1n) | BigInt(random.below(2));
  return value;
}

function randomInteger(random: Random): number | bigint {
  const wide = random.below(3) === 0 ? random.pick(EDGES) : BigInt.asIntN(64, randomUnsigned(random));
  const safe = wide >= BigInt(Number.MIN_SAFE_INTEGER) && wide <= BigInt(Number.MAX_SAFE_INTEGER);
  return safe ? Number(wide) : wide;
}

function randomScalar(random: Random): string | number | bigint | boolean {
  switch (random.below(4)) {
    case 0:
      return random.text(random.pick([3, 30, 300]));
    case 1:
      return randomInteger(random);
    case 2:
      return random.next() * 1000 + 0.5 ** 30;
    default:
      return random.below(2) === 1;
  }
}

/** A scalar as protobufjs represents it. */
function decodedScalar(value: string | number | bigint | boolean | null) {
  if (value === null) return {};
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'boolean') return { kind: 'boolean', boolean: value };
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return { kind: 'number', number: value };
  return { kind: 'integer', integer: String(value) };
}
const decodedList = (items: object[]) => ({ kind: 'list', list: { items } });

function randomArgument(random: Random): { kind: Kind; value: unknown; decoded: unknown } {
  const kind = random.pick(['integer', 'number', 'text', 'scalar', 'optional', 'boolean', 'texts', 'scalars', 'entries'] as const);
  switch (kind) {
    case 'integer': {
      const value = randomInteger(random);
      return { kind, value, decoded: decodedScalar(value) };
    }
    case 'number': {
      const value = random.below(100);
      return { kind, value, decoded: { kind: 'number', number: value } };
    }
    case 'text': {
      const value = random.text(200);
      return { kind, value, decoded: decodedScalar(value) };
    }
    case 'boolean': {
      const value = random.below(2) === 1;
      return { kind, value, decoded: decodedScalar(value) };
    }
    case 'texts': {
      const value = Array.from({ length: random.below(20) }, () => random.text(10));
      return { kind, value, decoded: decodedList(value.map(decodedScalar)) };
    }
    case 'scalars': {
      const value = Array.from({ length: random.below(20) }, () => randomScalar(random));
      return { kind, value, decoded: decodedList(value.map(decodedScalar)) };
    }
    case 'entries': {
      const value = Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.text(8), randomScalar(random)]));
      return {
        kind,
        value,
        decoded: decodedList(Object.entries(value).map(([k, v]) => decodedList([decodedScalar(k), decodedScalar(v)]))),
      };
    }
    default: {
      const value = kind === 'optional' && random.below(3) === 0 ? null : randomScalar(random);
      return { kind, value, decoded: decodedScalar(value) };
    }
  }
}

function randomCall(random: Random) {
  const drawn = Array.from({ length: random.below(4) }, () => randomArgument(random));
  const spec: OperationSpec = {
    code: random.below(65536),
    name: 'Any.thing',
    operationClass: 'both',
    result: 'void',
    parameters: drawn.map((a) => a.kind),
    mode: 0,
  };
  return { call: { spec, key: random.text(40), args: drawn.map((a) => a.value) }, drawn };
}

function expectOperation(decoded: any, { call, drawn }: ReturnType<typeof randomCall>) {
  expect(decoded.key).toBe(call.key);
  expect(decoded.code).toBe(call.spec.code);
  expect(decoded.arguments).toEqual(drawn.map((a) => a.decoded));
}

describe('a client frame', () => {
  it('is read by protobufjs with the same values', () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const out = new FrameWriter();
    for (let round = 0; round < 300; round++) {
      const requests = Array.from({ length: random.below(4) }, () => ({
        attempt: Number(randomUnsigned(random) >> 12n) + 1,
        sentBefore: random.below(300),
        begin: {
          ids: Uint8Array.from({ length: 48 }, () => random.below(256)),
          idAt: 16,
          label: random.text(20),
          priority: wideOf(randomUnsigned(random)),
          retries: random.below(3),
          breaks: random.below(3),
          home: random.below(3),
          expiresInMs: random.below(20000),
          exclusive: [random.text(9), random.text(9)],
          ageUs: random.below(2) * (64 + random.below(2 ** 32 - 64)),
          before:
            random.below(2) === 0 ? null : { thrownAwayUs: 64 + random.below(2 ** 32 - 64), backingOffUs: 64, queuedUs: random.below(64) },
          transaction: random.below(2) === 0 ? null : randomBytes(random, 16),
          epochManager: random.below(2) === 0 ? null : random.below(256),
        },
        calls: Array.from({ length: random.below(6) }, () => randomCall(random)),
        observesOnly: random.below(2) === 0,
        answer:
          random.below(2) === 0 ? null : { bytes: randomBytes(random, random.below(300)), keepMs: random.below(2) * random.below(2 ** 32) },
        participants: Array.from({ length: random.below(3) }, () => random.below(1000)),
        snapshot: random.below(2) === 0 ? null : wideOf(randomUnsigned(random)),
      }));
      for (const r of requests) {
        const mark = frames.beginRequest(out, r.attempt, r.sentBefore);
        frames.writeBegin(out, r.begin);
        for (const { call } of r.calls) frames.writeOperation(out, frames.REQUEST_OPERATION, call);
        frames.writePrepare(out, r.participants, r.observesOnly, r.answer, null, 0, r.snapshot);
        out.end(mark);
      }
      const natives = Array.from({ length: random.below(4) }, () => randomCall(random));
      const batch = frames.beginNatives(out, 2 ** 40 + round, round);
      const ageUs = random.below(2) === 0 ? null : random.below(2 ** 32 - 1);
      const moment = wideOf(randomUnsigned(random));
      for (const { call } of natives) frames.writeOperation(out, frames.NATIVE_OPERATION, call, false, 0, null, moment, ageUs);
      out.end(batch);
      const committed = [1, 300, 2 ** 40];
      const at = committed.map(() => wideOf(randomUnsigned(random)));
      const watch = randomCall(random);
      const header = {
        sequence: round + 1,
        acknowledged: random.below(1000),
        incarnation: wideOf(randomUnsigned(random)),
        forgottenBelow: random.below(5),
      };
      frames.writeHello(out, 'tester', at[0]!, at[1]!);
      frames.writeCommitted(out, committed, at);
      frames.writeAborted(out, [7, 2 ** 33]);
      frames.writeAbandoned(out, [9, 2 ** 34]);
      frames.writeUnwatched(out, [9]);
      frames.writeWatch(out, 5, watch.call, at[0]!);
      frames.writeInquiry(out, new Uint8Array(16).fill(round), 77);
      frames.writeWound(out, 6, new Uint8Array(16).fill(3), at[1]!);
      frames.writeHeader(out, header);

      const frame = decodeClientFrame(out.take());
      expect(frame.sequence).toBe(String(header.sequence));
      expect(frame.acknowledged).toBe(String(header.acknowledged));
      expect(frame.incarnation).toBe(String(bigOf(header.incarnation)));
      expect(frame.forgottenBelow).toBe(String(header.forgottenBelow));
      expect(frame.hello).toMatchObject({
        protocol: 1,
        name: 'tester',
        session: String(bigOf(at[0]!)),
        resumes: String(bigOf(at[1]!)),
      });
      expect(frame.committed).toEqual(committed.map(String));
      expect(frame.committedAt).toEqual(at.map((w) => String(bigOf(w))));
      expect(frame.aborted).toEqual(['7', String(2 ** 33)]);
      expect(frame.abandoned).toEqual(['9', String(2 ** 34)]);
      expect(frame.unwatched).toEqual(['9']);
      expect(frame.watches[0]).toMatchObject({ id: '5', since: String(bigOf(at[0]!)) });
      expectOperation(frame.watches[0].operation, watch);
      expect(frame.inquiries[0]).toMatchObject({ ticket: '77', id: Buffer.alloc(16, round) });
      expect(frame.wounds).toMatchObject([{ attempt: '6', id: Buffer.alloc(16, 3), priority: String(bigOf(at[1]!)) }]);
      expect(frame.natives).toHaveLength(1);
      expect(frame.natives[0]).toMatchObject({ first: String(2 ** 40 + round), below: String(round) });
      natives.forEach((native, i) => {
        const operation = frame.natives[0].operations[i];
        expectOperation(operation, native);
        expect([operation.at, operation.snapshot]).toEqual([String(bigOf(moment)), ageUs === null ? 0 : ageUs + 1]);
      });
      expect(frame.requests).toHaveLength(requests.length);
      requests.forEach((r, i) => {
        const request = frame.requests[i];
        expect(request.attempt).toBe(String(r.attempt));
        expect(request.sentBefore).toBe(r.sentBefore);
        const { ids, idAt, before, epochManager, ...begin } = r.begin;
        const times = { thrownAwayUs: before?.thrownAwayUs ?? 0, backingOffUs: before?.backingOffUs ?? 0, queuedUs: 0 };
        expect(request.begin).toEqual({
          ...begin,
          ...times,
          id: Buffer.from(ids.subarray(idAt, idAt + 16)),
          priority: String(bigOf(r.begin.priority)),
          transaction: Buffer.from(r.begin.transaction ?? []),
          epochManagerPlusOne: epochManager === null ? 0 : epochManager + 1,
        });
        expect(request.operations).toHaveLength(r.calls.length);
        r.calls.forEach((c, j) => expectOperation(request.operations[j], c));
        expect(request.prepare.participants).toEqual(r.participants);
        expect(request.prepare.snapshot).toBe(r.snapshot === null ? '0' : String(bigOf(r.snapshot)));
        expect(request.prepare.observesOnly).toBe(r.observesOnly);
        expect(request.prepare.answer).toEqual(Buffer.from(r.answer?.bytes ?? []));
        expect(request.prepare.keepMs).toBe(r.answer?.keepMs ?? 0);
      });
    }
  });

  it('is not written to after it was taken', () => {
    const out = new FrameWriter();
    const taken: { frame: Uint8Array; copy: Buffer }[] = [];
    const random = randomFrom(1);
    for (let i = 0; i < 200; i++) {
      const mark = frames.beginRequest(out, i + 1, 0);
      for (let j = 0; j < random.below(200); j++) frames.writeOperation(out, frames.REQUEST_OPERATION, randomCall(random).call);
      out.end(mark);
      const frame = out.take();
      taken.push({ frame, copy: Buffer.from(frame) });
    }
    for (const { frame, copy } of taken) expect(copy.equals(frame)).toBe(true);
  });
});

const SILENT = new Proxy({} as ChainHandler & WarrantyHandler, { get: () => () => {} });

class Recorder implements FrameHandler {
  calls: any[] = [];
  onWelcome(welcome: any) {
    const [incarnation, time] = [bigOf(welcome.incarnation), bigOf(welcome.time)];
    const done = welcome.resumed?.done.map((one: any) => ({ ...one, at: bigOf(one.at) }));
    this.calls.push(['welcome', { ...welcome, incarnation, time, resumed: welcome.resumed && { ...welcome.resumed, done } }]);
  }
  onReply(reply: any) {
    this.calls.push([
      'reply',
      {
        ...reply,
        results: [...reply.results],
        votedAt: bigOf(reply.votedAt),
        committedAt: bigOf(reply.committedAt),
        holdsUntil: bigOf(reply.holdsUntil),
        committedBefore: reply.committedBefore && { ...reply.committedBefore, at: bigOf(reply.committedBefore.at) },
      },
    ]);
  }
  onWound(attempt: number, priority: frames.Wide) {
    this.calls.push(['wound', attempt, bigOf(priority)]);
  }
  onChange(change: any) {
    this.calls.push(['change', { ...change, timestamp: bigOf(change.timestamp) }]);
  }
  onAnswer(ticket: number, state: string, at: frames.Wide) {
    this.calls.push(['answer', ticket, state, bigOf(at)]);
  }
  onConditions(conditions: any) {
    this.calls.push(['conditions', conditions]);
  }
  onClosing(error: any) {
    this.calls.push(['closing', error]);
  }
  readonly chains = SILENT;
  readonly warranties = SILENT;
  readonly natives: NativeHandler = {
    onNativesDone: (done) => void this.calls.push(['nativesDone', { ...done, at: bigOf(done.at) }]),
    onNativeFailed: (number, error) => void this.calls.push(['nativeFailed', number, error]),
  };
}

function randomValue(random: Random, depth = 0): { value: any; wire: any } {
  if (depth < 3 && random.below(4) === 0) {
    const items = Array.from({ length: random.below(5) }, () => randomValue(random, depth + 1));
    return { value: items.map((i) => i.value), wire: { list: { items: items.map((i) => i.wire) } } };
  }
  if (random.below(6) === 0) return { value: null, wire: {} };
  const value = randomScalar(random);
  const { kind, ...wire } = decodedScalar(value) as any;
  return { value, wire: kind === undefined ? {} : wire };
}

function randomServerFrame(random: Random) {
  const replies = Array.from({ length: random.below(5) }, () => ({
    attempt: 1 + random.below(2 ** 31),
    results: Array.from({ length: random.below(5) }, () => randomValue(random)),
    votedAt: randomUnsigned(random),
    holdsUntil: randomUnsigned(random),
    committedAt: randomUnsigned(random),
    waited: { microseconds: random.below(1000), locks: random.below(5), runs: random.below(3) },
  }));
  const error = {
    code: 'wounded',
    message: random.text(30),
    key: random.text(9),
    operation: 'Set.size',
    blockingOperation: 'Set.add',
    blockingLabel: 'Bid',
    retryable: true,
    cause: 'lock_wait',
    retryAfterMs: random.below(3) * 400,
    at: wideOf(randomUnsigned(random)),
  };
  const change = { id: 3, timestamp: randomUnsigned(random), ...randomValue(random) };
  const [incarnation, time] = [randomUnsigned(random), randomUnsigned(random)];
  const natives = Array.from({ length: random.below(4) }, () => randomValue(random));
  const committed = { at: randomUnsigned(random), answer: randomBytes(random, random.below(300)) };
  const message = {
    sequence: 11,
    acknowledged: 12,
    welcome: {
      protocol: 1,
      shard: 2,
      incarnation: String(incarnation),
      sessionLeaseMs: 5000,
      serial: 7,
      time: String(time),
      resumed: {
        known: true,
        natives: [{ first: '3', count: '1', at: '6', results: natives.map(({ wire }) => wire) }],
        nativesFailed: [{ number: '4', error }],
      },
    },
    replies: [
      ...replies.map((r) => ({
        ...r,
        votedAt: String(r.votedAt),
        committedAt: String(r.committedAt),
        holdsUntil: String(r.holdsUntil),
        results: r.results.map((v) => v.wire),
      })),
      { attempt: 5, error },
      { attempt: 6, denied: error },
      { attempt: 7, committed: { at: String(committed.at), answer: Buffer.from(committed.answer) } },
    ],
    wounds: [{ attempt: 9, id: Buffer.alloc(16), priority: String(2n ** 63n + 5n) }],
    changes: [{ id: change.id, timestamp: String(change.timestamp), value: change.wire }],
    answers: [{ ticket: 4, state: 'COMMITTED', timestamp: '99', id: Buffer.alloc(16) }],
    conditions: { locks: 'rw', phasing: true, combining: 'auto', warranties: 'auto' },
    closing: error,
    natives: [{ first: String(2 ** 40), count: '3', at: '5', results: natives.map(({ wire }) => wire), waitedUs: 12 }],
    nativesFailed: [{ number: '7', error }],
  };
  const plain = {
    error: null,
    denied: null,
    results: [],
    votedAt: 0n,
    committedAt: 0n,
    holdsUntil: 0n,
    waitedMicroseconds: 0,
    waitedLocks: 0,
    waitedRuns: 0,
    committedBefore: null,
    granted: [],
  };
  const calls = [
    [
      'welcome',
      {
        protocol: 1,
        shard: 2,
        incarnation,
        sessionLeaseMs: 5000,
        warrantyTermMs: 0,
        warrantyEvidence: 0,
        serial: 7,
        time,
        resumed: {
          known: true,
          done: [{ first: 3, count: 1, at: 6n, results: natives.map(({ value }) => value), waitedUs: 0 }],
          failed: [{ number: 4, error }],
        },
      },
    ],
    ...replies.map((r) => [
      'reply',
      {
        ...plain,
        attempt: r.attempt,
        results: r.results.map((v) => v.value),
        votedAt: r.votedAt,
        committedAt: r.committedAt,
        holdsUntil: r.holdsUntil,
        waitedMicroseconds: r.waited.microseconds,
        waitedLocks: r.waited.locks,
        waitedRuns: r.waited.runs,
      },
    ]),
    ['reply', { ...plain, attempt: 5, error }],
    ['reply', { ...plain, attempt: 6, denied: error }],
    ['reply', { ...plain, attempt: 7, committedBefore: committed }],
    ['wound', 9, 2n ** 63n + 5n],
    ['change', { id: 3, timestamp: change.timestamp, value: change.value, error: null }],
    ['answer', 4, 'committed', 99n],
    ['conditions', { locks: 'rw', phasing: true, combining: 'auto', warranties: 'auto' }],
    ['closing', error],
    ['nativesDone', { first: 2 ** 40, count: 3, at: 5n, results: natives.map(({ value }) => value), waitedUs: 12 }],
    ['nativeFailed', 7, error],
  ];
  return { bytes: responseSerialize(message), calls };
}

describe('a server frame', () => {
  it('written by protobufjs is read with the same values', () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const reader = new ServerFrameReader();
    for (let round = 0; round < 300; round++) {
      const { bytes, calls } = randomServerFrame(random);
      const recorder = new Recorder();
      reader.read(bytes, recorder);
      expect(recorder.calls).toEqual(calls);
      expect([reader.sequence, reader.acknowledged]).toEqual([11, 12]);
    }
  });

  it('truncated or random is either read or reported as malformed', () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const reader = new ServerFrameReader();
    let refused = 0;
    const attempt = (bytes: Uint8Array) => {
      try {
        reader.read(bytes, new Recorder());
      } catch (error) {
        expect(error).toBeInstanceOf(ClaretError);
        expect((error as ClaretError).code).toBe('malformed_frame');
        refused++;
      }
    };
    const { bytes } = randomServerFrame(random);
    for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
    for (let round = 0; round < 2000; round++) attempt(Uint8Array.from({ length: random.below(80) }, () => random.below(256)));
    for (let round = 0; round < 2000; round++) {
      const flipped = Buffer.from(bytes);
      flipped[random.below(flipped.length)] = random.below(256);
      attempt(flipped);
    }
    expect(refused).toBeGreaterThan(1000);
  });

  it('with a list nested too deep is refused', () => {
    let value: object = { text: 'x' };
    for (let i = 0; i < 30; i++) value = { list: { items: [value] } };
    const bytes = responseSerialize({ replies: [{ attempt: 1, results: [value] }] });
    expect(() => new ServerFrameReader().read(bytes, new Recorder())).toThrow(/nested too deep/);
  });
});
