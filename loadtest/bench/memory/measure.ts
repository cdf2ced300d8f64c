// The memory of a gateway's process, and of a redis-server, while one shape is inserted; each on a fresh server.

import { readFileSync } from 'node:fs';
import { connect } from '@claret/client';
import { withCluster } from '../../kit/with-cluster.ts';
import { valueIn } from '../paper/gateway-figures.ts';
import { BareRedis } from '../peers/bare-redis.ts';
import { withRedis } from '../../kit/redis-server.ts';
import type { Shape } from './shapes.ts';
import { slopeOf, type Level } from './slope.ts';

const IN_FLIGHT = 4_096;
/** The number of keys that Redis is asked about (`MEMORY USAGE`). */
const SAMPLES = 200;

export interface LevelOptions {
  /** insertions before the first reading: buffers and compilers settle */
  first: number;
  /** insertions between two readings */
  step: number;
  /** readings after the first */
  steps: number;
}

export interface OnRedis {
  resident: number;
  /** what MEMORY USAGE tells, per insertion */
  told: number;
}

/** Resident bytes of a process, as counted by Linux (proc_pid_status(5)). */
export function residentOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error(`/proc/${pid}/status tells no VmRSS`);
  return 1024 * Number(line[1]);
}

async function levelsOf(
  options: LevelOptions,
  insert: (number: number) => Promise<unknown>,
  read: () => Promise<number>,
): Promise<Level[]> {
  const levels: Level[] = [];
  let insertions = 0;
  for (let step = 0; step <= options.steps; step++) {
    const goal = options.first + step * options.step;
    while (insertions < goal) {
      const count = Math.min(IN_FLIGHT, goal - insertions);
      const from = insertions;
      await Promise.all(Array.from({ length: count }, (_, i) => insert(from + i)));
      insertions += count;
    }
    levels.push({ insertions, bytes: await read() });
  }
  return levels;
}

/** Resident bytes per insertion, without V8's heap, whose size depends on when garbage was last collected. */
export async function bytesInClaret(shape: Shape, options: LevelOptions): Promise<number> {
  let slope = Number.NaN;
  await withCluster(1, { NODE_OPTIONS: '--max-semi-space-size=1' }, async ({ gateways: [gateway] }) => {
    const { grpc, rest, pid } = gateway!;
    const claret = await connect({ addresses: [grpc], name: 'bench' });
    const read = async () => {
      const text = await (await fetch(`${rest}/metrics`)).text();
      return residentOf(pid) - valueIn(text, 'claret_nodejs_heap_size_total_bytes');
    };
    slope = slopeOf(await levelsOf(options, (number) => claret.native.perform(shape.claret(number)), read));
    await claret.close();
  });
  return slope;
}

/** Null: Redis has no such type. */
export async function bytesInRedis(shape: Shape, options: LevelOptions): Promise<OnRedis | null> {
  const commandOf = shape.redis;
  if (commandOf === null) return null;
  let found: OnRedis | null = null;
  await withRedis(async ({ port, pid }) => {
    const redis = await BareRedis.connect(port);
    const levels = await levelsOf(
      options,
      (number) => redis.command(commandOf(number)),
      async () => residentOf(pid),
    );
    const { insertions } = levels.at(-1)!;
    const keys = new Set(Array.from({ length: SAMPLES }, (_, i) => shape.keyOf(Math.floor((i * insertions) / SAMPLES))));
    const told = await Promise.all([...keys].map((key) => redis.command(['MEMORY', 'USAGE', key, 'SAMPLES', '1000'])));
    const perRecord = insertions / new Set(Array.from({ length: insertions }, (_, number) => shape.keyOf(number))).size;
    found = { resident: slopeOf(levels), told: told.reduce<number>((sum, bytes) => sum + Number(bytes), 0) / keys.size / perRecord };
    await redis.close();
  });
  return found;
}
