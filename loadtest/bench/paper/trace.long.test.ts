import { expect, it } from 'vitest';
import { withCluster } from '../../kit/with-cluster.ts';
import type { TraceRow } from './raw.ts';
import { endsOf, measureTrace, TRACE_DEFAULTS } from './trace.ts';

it('the cohort ends in the middle of the trace, at different times, not in the order of popularity', () => {
  expect(endsOf({ cohort: 5, seconds: 20 })).toEqual([6, 10, 14, 8, 12]);
  expect(endsOf({ cohort: 1, seconds: 10 })).toEqual([3]);
});

it('a trace has each condition, each window and each closing, and the stored data matches the acknowledged transactions', async () => {
  const rows: TraceRow[] = [];
  await withCluster(1, {}, (cluster) =>
    measureTrace(
      cluster,
      {
        ...TRACE_DEFAULTS,
        conditions: ['rw+phasing', 'abstract+combining+phasing'],
        clients: 16,
        seconds: 1,
        warm_seconds: 0.2,
        window_seconds: 0.125,
        rise_seconds: 0.1,
        cohort: 3,
        items: 100,
      },
      (row) => rows.push(row),
    ),
  );
  expect(rows.map(({ condition }) => condition)).toEqual(['rw+phasing', 'abstract+combining+phasing']);
  for (const { txn_per_s, closings, window_s } of rows) {
    expect(window_s).toBe(0.125);
    expect(txn_per_s).toHaveLength(8);
    expect(Math.max(...txn_per_s)).toBeGreaterThan(0);
    expect(closings).toEqual([0.3, 0.5, 0.7]);
  }
});
