// A cut of a backup divides the log of a shard by timestamp (docs/decisions/0018-backup.md), also where it comes between two natives of
// one message. It does not divide what is one step: the commands of a Redis client's EXEC. The clock stands still, so each native or step is one
// tick after the one before.
import { expect } from 'vitest';
import { descriptions } from '@claret/client';
import type { Shard, ShardOptions } from '@claret/core';
import { beginNatives, NATIVE_OPERATION, writeHeader, writeHello, writeOperation } from '../../../client/src/wire/client-frame.ts';
import { FrameWriter } from '../../../client/src/wire/writer.ts';
import { cutEntries, LogReader } from './log-reader.ts';

const PEER = 1;
const REDIS_PEER = 2;
const WALL_MS = 1_700_000_000_000;
const MONOTONIC_MS = 1_000;
/** The lowest bits of a timestamp are the shard's number. */
const TICK = 256n;
export const NATIVES = 64;
const OPTIONS: ShardOptions = {
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
  logged: true,
};

/** `sequence`: the number of the frame in its session. */
function send(shard: Shard, sequence: number, write: (out: FrameWriter) => void): void {
  const out = new FrameWriter();
  const incarnation = { high: 0, low: sequence === 1 ? 0 : OPTIONS.incarnation };
  writeHeader(out, { sequence, acknowledged: 0, incarnation, forgottenBelow: 0 });
  write(out);
  shard.process([PEER], [out.take()], WALL_MS, MONOTONIC_MS);
}

const sendNatives = (shard: Shard, sequence: number, first: number, count: number) =>
  send(shard, sequence, (out) => {
    const mark = beginNatives(out, first, first);
    for (let i = 0; i < count; i++) writeOperation(out, NATIVE_OPERATION, descriptions.counter('c').add(1));
    out.end(mark);
  });

/** The timestamps of the natives in some entries of a log. */
function timestamps(log: Uint8Array): bigint[] {
  const reader = new LogReader();
  reader.read([log]);
  return [...reader.attempts].flatMap(({ at, ops }) => ops.map(() => at!));
}

export type CreateShard = (options: ShardOptions) => Shard;

function startShard(createShard: CreateShard): Shard {
  const shard = createShard(OPTIONS);
  shard.restored(WALL_MS, MONOTONIC_MS);
  shard.connect(PEER, WALL_MS, MONOTONIC_MS);
  return shard;
}

/** Sends natives in one message, with a cut after some of them; the timestamps in the log on both sides of the cut, relative to it. */
export function dividedBy(createShard: CreateShard, inside: number): { inside: bigint[]; outside: bigint[] } {
  const shard = startShard(createShard);
  send(shard, 1, (out) => writeHello(out, 'test', { high: 0, low: 1 }, null));
  sendNatives(shard, 2, 1, 1);
  const before = shard.takeLog()!;
  const at = shard.prepareCut()! + BigInt(inside) * TICK;
  expect(shard.setCut(at)).toBe(true);
  sendNatives(shard, 3, 2, NATIVES);
  const position = shard.cut();
  const log = Buffer.concat([before, shard.takeLog()!]);
  const whole = timestamps(log);
  const first = timestamps(cutEntries(log, () => position).bytes);
  expect(whole).toHaveLength(1 + NATIVES);
  const relative = whole.map((one) => one - at);
  return { inside: relative.slice(0, first.length), outside: relative.slice(first.length) };
}

export const isDivided = ({ inside, outside }: ReturnType<typeof dividedBy>) =>
  inside.every((at) => at <= 0n) && outside.every((at) => at > 0n);
export const CUTS = Array.from({ length: NATIVES - 1 }, (_, i) => i + 1);

/** The numbers of INCR that a cut after some ticks leaves inside, of one EXEC. */
export function ofExecInside(createShard: CreateShard, ticks: number): number {
  const shard = startShard(createShard);
  shard.openDoor({ password: '', redirect: false, spreads: false });
  shard.connectResp(REDIS_PEER, '127.0.0.1:1', '127.0.0.1:2', WALL_MS, MONOTONIC_MS);
  const say = (...lines: string[]) =>
    shard.process([REDIS_PEER], [Buffer.from(lines.map((line) => `${line}\r\n`).join(''))], WALL_MS, MONOTONIC_MS);
  say('SET warm up');
  const before = shard.takeLog()!;
  expect(shard.setCut(shard.prepareCut()! + BigInt(ticks) * TICK)).toBe(true);
  say('MULTI', ...Array.from({ length: NATIVES }, () => 'INCR c'), 'EXEC', 'GET c');
  const position = shard.cut();
  const log = Buffer.concat([before, shard.takeLog()!]);
  expect(timestamps(log)).toHaveLength(1 + NATIVES);
  return timestamps(cutEntries(log, () => position).bytes).length - 1;
}
