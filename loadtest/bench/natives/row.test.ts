import { expect, test } from 'vitest';
import { rowOf } from './row.ts';

const span = (count: number, server_cpu_us: number) => ({ seconds: 2, count, server_cpu_us, client_cpu_us: 3000 });

test('a row holds the median of each figure over the rounds', () => {
  expect(rowOf('native', 64, [span(1000, 500), span(3000, 6000), span(2000, 2000)])).toEqual({
    mode: 'native',
    in_flight: 64,
    ops_per_s: 1000,
    gateway_us_per_op: 1,
    client_us_per_op: 1.5,
  });
});
