import { expect, test } from 'vitest';
import { randomFrom } from '../../../kit/random.ts';
import type { LedgerLine, LedgerOutcome } from '../storm.ts';
import { Tally } from './tally.ts';

const bid = (at_ms: number, ms: number, outcome: LedgerOutcome): LedgerLine => [
  'bid',
  at_ms,
  ms,
  outcome,
  'u1',
  { item: 'i1', amount: 1, max: 1 },
];
const read = (at_ms: number, ms: number, outcome: LedgerOutcome): LedgerLine => ['read', at_ms, ms, outcome, '', { page: 'item' }];

function tallyOf(lines: readonly LedgerLine[], begins_ms = 0): Tally {
  const tally = new Tally(['bid'], begins_ms);
  for (const line of lines) tally.add(line);
  return tally;
}

test('accepted work counts in the second of its response, all else in the second of the request', () => {
  const tally = tallyOf([bid(10_100, 950, 'accepted'), bid(10_200, 30, 'shed'), bid(11_000, 5_000, 'unknown')], 10_000);
  const seconds = tally.seconds();
  expect(seconds.slice(0, 2)).toEqual([
    { second: 0, sent: 2, accepted: 0, p50_ms: 950, p99_ms: 950, shed: 1, refused: 0, unknown: 0, failed: 0 },
    { second: 1, sent: 1, accepted: 1, p50_ms: null, p99_ms: null, shed: 0, refused: 0, unknown: 1, failed: 0 },
  ]);
});

test("requests that are not the scenario's work count only if they were not accepted, and never for throughput or latency", () => {
  const totals = tallyOf([bid(0, 10, 'accepted'), read(0, 900, 'accepted'), read(1, 1, 'shed'), read(1, 1, 'failed')]).totals();
  expect(totals).toEqual({ accepted: 1, p50_ms: 10, p99_ms: 10, shed: 1, unknown: 0, failed: 1, refused: {} });
});

test('refusals are counted by code', () => {
  const { refused } = tallyOf([
    bid(0, 1, 'refused:bid_too_low'),
    bid(0, 1, 'refused:auction_closed'),
    bid(0, 1, 'refused:bid_too_low'),
  ]).totals();
  expect(refused).toEqual({ auction_closed: 1, bid_too_low: 2 });
});

test('without work there are no latencies', () => {
  expect(tallyOf([]).totals()).toEqual({ accepted: 0, p50_ms: null, p99_ms: null, shed: 0, unknown: 0, failed: 0, refused: {} });
  expect(tallyOf([]).seconds()).toEqual([]);
});

/** A slow model that recounts everything for each second. */
function modelOf(lines: readonly LedgerLine[], begins_ms: number) {
  const secondOf = (time_ms: number) => Math.floor((time_ms - begins_ms) / 1_000);
  const rank = (values: number[], share: number) => values.sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? null;
  const last = Math.max(...lines.map(([, at_ms, ms, outcome]) => secondOf(outcome === 'accepted' ? at_ms + ms : at_ms)));
  return Array.from({ length: last + 1 }, (_, second) => {
    const sent = lines.filter(([, at_ms]) => secondOf(at_ms) === second);
    const worked = sent.filter(([kind, , , outcome]) => kind === 'bid' && outcome === 'accepted').map(([, , ms]) => ms);
    const count = (is: (outcome: string) => boolean) => sent.filter(([, , , outcome]) => is(outcome)).length;
    return {
      second,
      sent: sent.length,
      accepted: lines.filter(([kind, at_ms, ms, outcome]) => kind === 'bid' && outcome === 'accepted' && secondOf(at_ms + ms) === second)
        .length,
      p50_ms: rank(worked, 0.5),
      p99_ms: rank(worked, 0.99),
      shed: count((outcome) => outcome === 'shed'),
      refused: count((outcome) => outcome.startsWith('refused')),
      unknown: count((outcome) => outcome === 'unknown'),
      failed: count((outcome) => outcome === 'failed'),
    };
  });
}

test('the tally of a random ledger equals that of a model that recounts each second', () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = randomFrom(seed);
  const outcomes: LedgerOutcome[] = ['accepted', 'accepted', 'accepted', 'shed', 'unknown', 'failed', 'refused:a', 'refused:b'];
  const lines = Array.from({ length: 3_000 }, () => {
    const outcome = outcomes[Math.floor(random() * outcomes.length)]!;
    return bid(5_000 + Math.floor(random() * 20_000), Math.round(random() ** 4 * 30_000) / 10, outcome);
  });
  expect(tallyOf(lines, 5_000).seconds(), `seed ${seed}`).toEqual(modelOf(lines, 5_000));
});
