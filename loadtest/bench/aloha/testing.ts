// Rows and settings for the tests of `bench -- aloha`.

import type { Answer } from './question.ts';
import { POINT, type Part, type Row } from './row.ts';
import type { Settings } from './settings.ts';

export const answer = (what: Partial<Answer> = {}): Answer => ({
  txn_per_s: 100,
  mean_ms: 10,
  p50_ms: 8,
  p99_ms: 20,
  retries_per_commit: 0,
  epoch_share: 1,
  client_us_per_op: 2,
  gateway_us_per_op: 3,
  ...what,
});

export const row = (part: Part, name: string, what: Partial<Row> = {}): Row => ({
  ...POINT,
  ...answer(),
  part,
  name,
  way: 'epoch',
  to_baseline: null,
  to_baseline_range: null,
  p99_to_baseline: null,
  cpu_to_baseline: null,
  ...what,
});

export const SETTINGS: Settings = {
  parts: ['size'],
  ways: ['epoch', 'locks', 'none'],
  seconds: 1,
  rounds: 1,
  seed: 1,
  keys: 1_000,
  inFlight: 64,
  sizes: [10, 1_000],
  readShares: [0, 1],
  hotKeys: [100, 1],
  stopMs: [100],
  shards: [1, 2],
  dir: '/tmp',
  json: undefined,
  out: undefined,
  noted: {},
};
