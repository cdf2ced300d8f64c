// The cluster at work, as a gateway's event stream tells it (docs/telemetry.md): of its messages what the command line reads.

import { EXIT, Problem } from '../problem.ts';
import type { Rest } from '../rest.ts';

/** The version of the messages that is read here. */
export const VERSION = 1;

export interface Conditions {
  locks: 'none' | 'rw' | 'abstract';
  phasing: boolean;
  combining: 'auto' | 'on' | 'off';
}

export interface Welcome {
  kind: 'welcome';
  version: number;
  shards: number;
  conditions: Conditions;
}

export interface Frame {
  kind: 'frame';
  at_ms: number;
  shards: { shard: number; at_ms: number; telemetry: ShardTelemetry }[];
  silent: number[];
}

export interface Mark {
  kind: 'mark';
  what: { conditions: Conditions } | object;
}

export interface Conflict {
  holderLabel: string;
  comerLabel: string;
  holderOperation: string;
  comerOperation: string;
  count: number;
}

export interface HotRecord {
  key: string;
  type: string;
  heat: number;
  operations: number;
  conflicts: number;
  waiting: number;
  modes: { mode: string; holders: number; waiting: number }[];
}

export interface Waiter {
  transaction: string;
  label: string;
  key: string;
  operation: string;
  waitedMs: number;
  blockers: { label: string; operation: string; holds: boolean }[];
  moreBlockers: boolean;
}

export interface OperationSlice {
  key: string;
  operation: string;
  verdict: 'granted' | 'waited' | 'waiting' | 'denied' | 'refused' | 'joined' | 'untried';
  beside: number;
  waitedMs: number;
  blockingLabel: string;
  blockingOperation: string | null;
}

export interface Sample {
  transaction: string;
  label: string;
  retries: number;
  traced: boolean;
  begunAgoMs: number;
  votedAgoMs: number | null;
  endedAgoMs: number;
  outcome: 'committed' | 'aborted';
  code: string;
  cause: string;
  operationsLeftOut: number;
  requests: { agoMs: number | null; operations: OperationSlice[] }[];
}

export interface ShardTelemetry {
  elapsedMs: number;
  retries: number;
  homeCommits: number;
  aborts: Record<string, number>;
  operations: number;
  latencies: [number, number][];
  inFlight: number;
  waiting: number;
  records: number;
  conflicts: Conflict[];
  conflictsLeftOut: number;
  hotRecords: HotRecord[];
  waiters: Waiter[];
  samples: Sample[];
  commitsSampledOneIn: number;
}

export type Message = Welcome | Frame | Mark;

/** Where a bucket of `latencies` ends, in ms; the last one has no end. */
export const LATENCY_BUCKETS = 74;
export function latencyBoundMs(bucket: number): number {
  if (bucket >= LATENCY_BUCKETS - 1) return Infinity;
  return (1 / 16) * 2 ** Math.floor(bucket / 4) * (1 + (bucket % 4) / 4);
}

/** Frames come five times a second: a line so long without any is broken. */
const SILENCE_MS = 8_000;

/** Until `signal`. Throws a problem where the gateway goes away, falls silent, or speaks another version. */
export async function* telemetry(rest: Rest, signal: AbortSignal): AsyncGenerator<Message> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    for await (const { event, data } of rest.events('/v1/telemetry/stream', AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (!['welcome', 'frame', 'mark'].includes(event)) continue;
      const message = JSON.parse(data) as Message;
      if (message.kind === 'welcome' && message.version !== VERSION) {
        throw new Problem(
          EXIT.failed,
          'other_version',
          `This gateway's telemetry has version ${message.version}; this command line reads version ${VERSION}.`,
          { hint: 'Use the `claret` of the same release as the gateway.' },
        );
      }
      yield message;
    }
  } finally {
    clearTimeout(timer);
  }
  const { address } = rest.gateway;
  if (!signal.aborted) throw new Problem(EXIT.unreachable, 'no_gateway', `The gateway at ${address} has gone away.`, { address });
}
