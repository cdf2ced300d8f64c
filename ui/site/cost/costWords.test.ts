import { describe, expect, it } from 'vitest';
import type { TransactionCost } from '../cost.ts';
import { formatDuration, meaning, summary, waited } from './costWords.ts';

const cost = (part: Partial<TransactionCost> = {}): TransactionCost => ({
  label: 'Bid',
  count: 1,
  operations: 6,
  warranted: 0,
  locks_waited: 0,
  waited_us: 0,
  retries: 0,
  body_runs: 1,
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: 1.2,
  ...part,
});

describe('the words for costs', () => {
  it('are one line when closed', () => {
    expect(summary([cost({ count: 3, operations: 1_200 }), cost({ label: 'View', duration_ms: 2 })])).toBe(
      '4 transactions · 1,206 operations',
    );
    expect(summary([cost({ operations: 1 })])).toBe('1 transaction · 1 operation');
    expect(summary([cost({ operations: 4, warranted: 3 })])).toBe('1 transaction · 4 operations · 3 needed no message');
    expect(summary([])).toBe('none yet');
  });
  it('give times no more digits than they need', () => {
    const written = [0, 0.01, 0.06, 3.24, 9.96, 48.4, 999.4, 999.6, 12_345].map(formatDuration);
    expect(written).toEqual(['0.0 ms', '<0.1 ms', '0.1 ms', '3.2 ms', '10 ms', '48 ms', '999 ms', '1.0 s', '12.3 s']);
  });
  it('say how often and how long transactions waited', () => {
    expect(waited(cost())).toBe('0');
    expect(waited(cost({ locks_waited: 2, waited_us: 1_400 }))).toBe('2 · 1.4 ms');
  });
  it('explain the figures in one sentence', () => {
    expect(meaning([cost()])).toContain('none had to wait');
    expect(meaning([cost({ retries: 1 })])).toContain('1 attempt was retried');
    expect(meaning([cost({ locks_waited: 2, waited_us: 1_400 })])).toContain('2 times one waited for another, 1.4 ms in total');
    expect(meaning([cost()])).not.toContain('twice');
    expect(meaning([cost({ body_runs: 2 }), cost({ body_runs: 0 })])).toContain('1 body ran twice, first as a forecast');
    expect(meaning([cost({ body_runs: 3, retries: 1, forecasts_out: 1 })])).toContain(
      '1 body ran twice, first as a forecast; 1 forecast was wrong',
    );
    expect(meaning([cost({ batched: 2, batch_members: 5, turn_waited_us: 1_400, chains_broken: 1 })])).toContain(
      '2 committed with others of this server, in batches of 2.5 on average; 1.4 ms passed until it was this server’s turn; ' +
        '1 time a chain broke, and its transactions ran again',
    );
    expect(meaning([cost({ operations: 4, warranted: 3 })])).toContain('3 of 4 operations needed no message');
    expect(meaning([cost()])).not.toContain('message');
    expect(meaning([cost()])).not.toContain('batches');
    expect(meaning([cost()])).not.toContain('added up');
    expect(meaning([cost({ count: 2 })])).toContain('added up');
    expect(meaning([])).toContain('live stream');
  });
});
