// The native boundary: the addon runs in several threads at once and releases everything when they end.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FRAME_TOTALS, TOTALS, accepts, shardTelemetry, type ShardTelemetry } from '@claret/client/telemetry';
import { catalogue, Shard, slotOf } from './core.js';
import type { GivePiece, ShardOptions } from './core.d.ts';

const corePath = fileURLToPath(new URL('./core.js', import.meta.url));
const options: ShardOptions = {
  shard: 0,
  shards: 1,
  incarnation: 1,
  sessionLeaseMs: 5_000,
  phaseCapMs: 2,
  woundDelayMs: 5,
  woundGraceMs: 20,
  idleMs: 2_000,
  frameBytesMax: 1 << 20,
  outputBytesMax: 64 << 20,
  logged: false,
};

// A shard with a session that has pending work, as JavaScript for another thread or process.
const pendingWork = `
  const shard = new Shard(${JSON.stringify(options)});
  shard.connect(1, Date.now(), performance.now());
  const hello = Buffer.from([0x08, 0x01, 0x1a, 0x02, 0x08, 0x01]);
  const outputs = shard.process([1], [hello], Date.now(), performance.now());
`;

test('a session that says hello is welcomed', () => {
  const shard = new Shard(options);
  shard.connect(1, Date.now(), performance.now());
  const hello = Buffer.from([0x08, 0x01, 0x1a, 0x02, 0x08, 0x01]);
  expect(shard.process([1], [hello], Date.now(), performance.now())).toEqual([1]);
  expect(shard.drain(1)?.byteLength).toBeGreaterThan(0);
  expect(shard.drain(1)).toBeNull();
  expect(shard.closed(1)).toBe(false);
  expect(shard.counters().sessions).toBe(1);
});

test('a watched shard reports telemetry as JSON of the declared shape; an unwatched shard reports null', () => {
  const shard = new Shard(options);
  shard.connect(1, 1_000, 0);
  expect(shard.takeTelemetry(1_000, 0)).toBeNull();
  shard.observe(true, 1_000, 0);
  shard.process([1], [Buffer.from([0x08, 0x01, 0x1a, 0x02, 0x08, 0x01])], 1_100, 100);
  const frame: unknown = JSON.parse(shard.takeTelemetry(1_200.0625, 200.0625)!);
  expect(frame).toEqual({
    wallMs: 1_200.063,
    monotonicMs: 200.063,
    elapsedMs: 200.063,
    number: 1,
    begun: 0,
    retries: 0,
    commits: 0,
    homeCommits: 0,
    denials: 0,
    operations: 0,
    natives: 0,
    nativeBreaks: 0,
    redisCommands: 0,
    members: 0,
    answeredAgain: 0,
    chainsBroken: 0,
    batches: 0,
    batchMembers: 0,
    stoodBack: 0,
    turns: 0,
    turnsTimedOut: 0,
    turnKeptMs: 0,
    turnWaitMs: 0,
    warranties: 0,
    warrantiesRecalled: 0,
    grants: 0,
    grantsReturned: 0,
    grantsLapsed: 0,
    expects: 0,
    expectsChanged: 0,
    warrantedAnswers: 0,
    warrantedCommits: 0,
    epochs: 0,
    epochsCalledOff: 0,
    epochMembers: 0,
    epochOperations: 0,
    epochContested: 0,
    epochIncomplete: 0,
    rollbacks: 0,
    rollbackSteps: 0,
    snapshotReads: 0,
    snapshotAgeMs: 0,
    framesIn: 1,
    framesOut: 0,
    aborts: {},
    breaks: {},
    standBacks: {},
    waits: {},
    latencies: [],
    latencyTotalMs: 0,
    thrownAwayMs: 0,
    backingOffMs: 0,
    queuedMs: 0,
    inFlight: 0,
    waiting: 0,
    inDoubt: 0,
    records: 0,
    sessions: 1,
    undecidedMembers: 0,
    clocksApart: 0,
    grantsStanding: 0,
    membersOfEpochs: 0,
    conflicts: [],
    conflictsLeftOut: 0,
    hotRecords: [],
    recordsTracked: 0,
    phasesLeftOut: 0,
    warrantiesLeftOut: 0,
    turnSlices: [],
    turn: null,
    turnsLeftOut: 0,
    epochSlices: [],
    epochsLeftOut: 0,
    waiters: [],
    samples: [],
    commitsSampledOneIn: 1,
    abortsLeftOut: 0,
  } satisfies ShardTelemetry);
  expect(accepts(shardTelemetry, frame)).toBe(true);
  expect(JSON.parse(shard.takeTelemetry(1_300, 300)!)).toMatchObject({ number: 2, framesIn: 0 });
  shard.observe(false, 1_400, 400);
  expect(shard.takeTelemetry(1_400, 400)).toBeNull();
});

test('invalid options are refused', () => {
  expect(() => new Shard({ ...options, shard: 256 })).toThrow(RangeError);
  expect(() => new Shard({ ...options, shards: 0 })).toThrow(RangeError);
  // @ts-expect-error a text where a number is required
  expect(() => new Shard({ ...options, idleMs: 'soon' })).toThrow(/idleMs/);
});

test('the catalogue names every type once, with a rule for each pair of operations', () => {
  const { types } = JSON.parse(catalogue());
  expect(new Set(types.map((type: { id: number }) => type.id)).size).toBe(types.length);
  for (const type of types) {
    const pairs = new Set(type.rules.map((rule: { first: string; second: string }) => [rule.first, rule.second].sort().join()));
    for (const first of type.operations) {
      for (const second of type.operations) expect(pairs, type.name).toContain([first.name, second.name].sort().join());
    }
  }
});

test('slots are those of Redis Cluster', () => {
  expect(slotOf('foo')).toBe(12182);
  expect(slotOf('{user1000}.following')).toBe(slotOf('{user1000}.followers'));
});

test('each worker thread has its own addon and may end with work pending', async () => {
  const code = `import(${JSON.stringify(corePath)}).then(({ Shard }) => { ${pendingWork}
    require('node:worker_threads').parentPort.postMessage(outputs.length); });`;
  const ended = Array.from(
    { length: 4 },
    () =>
      new Promise<number>((resolve, reject) => {
        const worker = new Worker(code, { eval: true });
        let outputs = 0;
        worker.on('message', (count: number) => {
          outputs = count;
          void worker.terminate();
        });
        worker.on('error', reject);
        worker.on('exit', () => resolve(outputs));
      }),
  );
  expect(await Promise.all(ended)).toEqual([1, 1, 1, 1]);
});

test('a process exits cleanly with work pending', () => {
  const code = `import { Shard } from ${JSON.stringify(corePath)}; ${pendingWork} console.log(outputs.length); process.exit(0);`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })).toBe('1\n');
});

test('a shard with a log hands out its entries, holds answers until they are durable, and restores from them', () => {
  const now = [Date.now(), performance.now()] as const;
  const shard = new Shard({ ...options, logged: true });
  shard.restored(...now);
  shard.connect(1, ...now);
  shard.process([1], [Buffer.from([0x08, 0x01, 0x1a, 0x02, 0x08, 0x01])], ...now);
  expect(shard.drain(1)).toBeNull();
  expect(shard.logPosition()).toBe(1);
  const log = shard.takeLog()!;
  expect(shard.takeLog()).toBeNull();
  expect(() => shard.durable(2, ...now)).toThrow(RangeError);
  expect(shard.durable(1, ...now)).toEqual([1]);
  expect(shard.drain(1)).not.toBeNull();

  const next = new Shard({ ...options, logged: true, incarnation: 2 });
  next.restore(log);
  next.restored(...now);
  expect(next.logPosition()).toBe(2);
  expect(() => next.restore(log)).toThrow(/before anything else/);
  expect(() => new Shard({ ...options, logged: true }).restore(log)).toThrow('entry 1 of the log: written by incarnation 1');
  expect(() => new Shard({ ...options, logged: true, incarnation: 2 }).restore(log.subarray(0, 3))).toThrow(/not a log/);
});

test('a shard hands out checkpoints, and restores from one without the earlier entries', () => {
  const now = [Date.now(), performance.now()] as const;
  const shard = new Shard({ ...options, logged: true });
  expect(() => shard.takeCheckpoint(1_000)).toThrow(/no checkpoint is under way/);
  shard.restored(...now);
  shard.beginCheckpoint();
  expect(() => shard.beginCheckpoint()).toThrow(/a checkpoint is under way/);
  expect(shard.takeCheckpoint(1_000)).toEqual({ pairs: Buffer.alloc(0), position: 0 });
  shard.takeLog();
  const { pairs, position } = shard.takeCheckpoint(1_000);
  expect(position).toBe(1);

  // The header follows three ranges that are removed.
  const last = pairs.subarray(Buffer.from(pairs).indexOf(Buffer.from([0, 1, 0, 0, 0, 52, 0, 0, 0, 1])));
  const next = new Shard({ ...options, logged: true, incarnation: 2 });
  next.restoreCheckpoint(last);
  next.restored(...now);
  expect(next.logPosition()).toBe(2);
  expect(() => new Shard({ ...options, logged: true, incarnation: 2 }).restoreCheckpoint(pairs)).toThrow(/damaged/);
  expect(() => new Shard({ ...options, logged: true }).restoreCheckpoint(last)).toThrow('the checkpoint was written by incarnation 1');
});

test('a run of slots moves from one shard to another', () => {
  const now = [Date.now(), performance.now()] as const;
  const start = (shard: number) => {
    const made = new Shard({ ...options, shard, shards: 2, logged: true });
    made.restored(...now);
    return made;
  };
  const settle = (shard: Shard) => {
    shard.process([], [], ...now);
    shard.takeLog();
    shard.durable(shard.logPosition(), ...now);
  };
  const [giver, taker] = [start(0), start(1)];
  const slots = { first: 100, last: 199 };
  expect(giver.slots()).toEqual([{ first: 0, last: 8191, version: 0 }]);
  expect(giver.beginGive('m1', { first: 9000, last: 9000 }, 1)).toMatchObject({ code: 'invalid_move', retryable: false });
  expect(giver.beginGive('m1', slots, 1)).toBeNull();
  expect(giver.beginGive('m2', slots, 1)).toMatchObject({ code: 'move_in_progress', retryable: true });
  expect(giver.give(...now)).toMatchObject({ code: 'move_not_ready' });
  expect(giver.takeGive(1_000)).toEqual({ bytes: Buffer.alloc(0), complete: false, bytesLeft: 0 });
  expect(giver.isDrained()).toBe(false);
  expect(giver.drainGive(200, ...now)).toBeNull();
  expect(giver.isDrained()).toBe(true);
  expect(giver.prepareCut()).toBeNull();
  const { bytes, complete } = giver.takeGive(1_000) as GivePiece;
  expect(complete).toBe(true);
  expect(taker.importPiece('m1', 0, bytes, ...now)).toBeNull();
  expect(taker.moves().imported).toEqual({ move: 'm1', ...slots, version: 1, from: 0, pieces: 1, complete: true });
  expect(giver.give(...now)).toBeNull();
  expect(giver.given('m1')).toBeNull();
  settle(giver);
  expect(giver.moves()).toEqual({ given: { move: 'm1', ...slots, version: 1, to: 1 }, imported: null });
  expect(taker.takeOver('m1', giver.given('m1')!, ...now)).toBeNull();
  expect(taker.hasTaken('m1')).toBe(false);
  settle(taker);
  expect(taker.hasTaken('m1')).toBe(true);
  expect(giver.settleGive('m1')).toBeNull();
  expect(giver.settleGive('m1')).toMatchObject({ code: 'unknown_move' });
  expect(taker.slots()).toEqual([
    { ...slots, version: 1 },
    { first: 8192, last: 16383, version: 0 },
  ]);
  expect(giver.moves()).toEqual({ given: null, imported: null });
});

test('each sum of counters.def is a counter, and frames of telemetry have those that they are to have', () => {
  const shard = new Shard(options);
  const counted = shard.counters();
  expect(TOTALS.filter(({ name }) => counted[name] !== 0)).toEqual([]);
  shard.observe(true, 1, 1);
  const frame = JSON.parse(shard.takeTelemetry(2, 2)!) as object;
  expect(TOTALS.filter(({ name }) => name in frame)).toEqual(FRAME_TOTALS);
});
