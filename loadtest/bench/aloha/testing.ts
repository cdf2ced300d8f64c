// Answers and rows for the tests of `bench -- aloha`.

import type { Answer } from './question.ts';
import type { Row } from './row.ts';

export const answer = (what: Partial<Answer> = {}): Answer => ({
  lists_per_s: 100,
  mean_ms: 10,
  p50_ms: 8,
  p99_ms: 20,
  retries_per_commit: 0,
  epoch_share: 1,
  client_us_per_op: 2,
  gateway_us_per_op: 3,
  ...what,
});

export const row = (size: number, what: Partial<Row> = {}): Row => ({
  ...answer(),
  size,
  in_flight: 64,
  way: 'epoch',
  to_baseline: null,
  cpu_to_baseline: null,
  ...what,
});
