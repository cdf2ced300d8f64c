import { describe, expect, it } from 'vitest';
import { seeded, type Seeded } from '../../../../kit/seeded.ts';
import type { OperationSlice } from '@claret/client/telemetry';
import type { SampledAttempt, TransactionSample } from '../../store/telemetryStore.ts';
import { slicesOf, timeSpent } from './slices.ts';
import { scaleTicks } from './ticks.ts';

const FRAME_MS = 1_000;

const operation = (waitedMs: number): OperationSlice => ({
  key: 'k',
  operation: 'Set.add',
  verdict: waitedMs > 0 ? 'waited' : 'granted',
  beside: 0,
  waitedMs,
  blockingLabel: '',
  blockingOperation: null,
});

interface Told {
  begun: number;
  voted?: number;
  ended: number;
  /** when each was executed, and how long its operations waited */
  requests: [at: number | null, ...waited: number[]][];
  retries?: number;
  shard?: number;
}

function attempt({ begun, voted, ended, requests, retries = 0, shard = 0 }: Told): SampledAttempt {
  return {
    transaction: '1',
    label: 'Bid',
    retries,
    shard,
    traced: true,
    outcome: 'committed',
    code: '',
    cause: '',
    warranted: 0,
    batchMembers: 0,
    stoodBack: '',
    operationsLeftOut: 0,
    begunAgoMs: FRAME_MS - begun,
    votedAgoMs: voted === undefined ? null : FRAME_MS - voted,
    endedAgoMs: FRAME_MS - ended,
    begun_ms: begun,
    voted_ms: voted ?? null,
    ended_ms: ended,
    requests: requests.map(([at, ...waited]) => ({ agoMs: at === null ? null : FRAME_MS - at, operations: waited.map(operation) })),
  };
}

function transaction(...told: Told[]): TransactionSample {
  const attempts = told.map(attempt);
  return {
    transaction: '1',
    label: 'Bid',
    attempts,
    outcome: 'committed',
    retries: attempts.at(-1)!.retries,
    begun_ms: Math.min(...attempts.map(({ begun_ms }) => begun_ms)),
    ended_ms: Math.max(...attempts.map(({ ended_ms }) => ended_ms)),
  };
}

describe('slices', () => {
  it('distinguish running, waiting and voted, on an axis that begins with the transaction', () => {
    const { lanes, length_ms } = slicesOf(
      transaction({
        begun: 100,
        voted: 107,
        ended: 110,
        requests: [
          [100, 0],
          [102, 3, 1],
        ],
      }),
    );
    expect(length_ms).toBe(10);
    expect(lanes[0]!.slices).toEqual([
      { kind: 'runs', from_ms: 0, to_ms: 2 },
      { kind: 'waits', from_ms: 2, to_ms: 5 },
      { kind: 'runs', from_ms: 5, to_ms: 7 },
      { kind: 'voted', from_ms: 7, to_ms: 10 },
    ]);
    expect(timeSpent(lanes[0]!)).toEqual({ runs: 4, waits: 3, voted: 3, unknown: 0 });
    expect(lanes[0]!.requests_ms).toEqual([0, 2]);
  });

  it('leave out requests whose time is unknown', () => {
    const { lanes } = slicesOf(transaction({ begun: 100, ended: 110, requests: [[null, 4]] }));
    expect(lanes[0]!.slices).toEqual([{ kind: 'runs', from_ms: 0, to_ms: 10 }]);
    expect(lanes[0]!.operations[0]).toMatchObject({ at_ms: null, wait: null });
  });

  it('do not show running time if only the end was sampled', () => {
    const sample = transaction({ begun: 100, ended: 110, requests: [[null, 4]] });
    sample.attempts[0]!.traced = false;
    expect(slicesOf(sample).lanes[0]!.slices).toEqual([{ kind: 'unknown', from_ms: 0, to_ms: 10 }]);
  });

  it('count the missing attempts', () => {
    const of = (...retries: number[]) =>
      slicesOf(transaction(...retries.map((retry) => ({ begun: 0, ended: 1, requests: [], retries: retry })))).attemptsUnknown;
    expect([of(0), of(0, 0, 1), of(2), of(0, 3)]).toEqual([0, 0, 2, 2]);
  });

  it('cover each lane from begin to end without gap or overlap, whatever was reported', () => {
    for (let trial = 0; trial < 200; trial += 1) {
      const dice = seeded(`slices ${trial}`);
      const { lanes, length_ms } = slicesOf(transaction(...Array.from({ length: dice.integer(1, 4) }, () => randomAttempt(dice))));
      for (const { slices, begun_ms, ended_ms, operations, requests_ms } of lanes) {
        let at_ms = begun_ms;
        for (const { from_ms, to_ms } of slices) {
          expect(from_ms, `trial ${trial}`).toBe(at_ms);
          expect(to_ms, `trial ${trial}`).toBeGreaterThan(from_ms);
          at_ms = to_ms;
        }
        expect(at_ms, `trial ${trial}`).toBe(ended_ms);
        expect(ended_ms).toBeLessThanOrEqual(length_ms);
        for (const { wait } of operations)
          if (wait) expect(wait.from_ms >= begun_ms && wait.to_ms <= ended_ms, `trial ${trial}`).toBe(true);
        for (const request_ms of requests_ms) expect(request_ms >= begun_ms && request_ms <= ended_ms, `trial ${trial}`).toBe(true);
      }
    }
  });
});

/** May contain contradictory times, because figures are rounded. */
function randomAttempt(dice: Seeded): Told {
  const begun = dice.between(0, 500);
  const ended = begun + dice.pick([0, dice.between(0, 400)]);
  const requests = Array.from({ length: dice.integer(0, 4) }, (): [number | null, ...number[]] => [
    dice.chance(0.1) ? null : dice.between(begun - 1, ended + 1),
    ...Array.from({ length: dice.integer(0, 3) }, () => (dice.chance(0.5) ? 0 : dice.between(0, 300))),
  ]);
  return { begun, ended, requests, ...(dice.chance(0.5) && { voted: dice.between(begun, ended + 1) }), retries: dice.integer(0, 2) };
}

it('a scale has a few round times from 0 to the end', () => {
  expect(scaleTicks(10).map(({ label }) => label)).toEqual(['0 ms', '2 ms', '4 ms', '6 ms', '8 ms', '10 ms']);
  expect(scaleTicks(0.37).map(({ label }) => label)).toEqual(['0.0 ms', '0.1 ms', '0.2 ms', '0.3 ms']);
  expect(scaleTicks(9_000).map(({ label }) => label)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s']);
  expect(scaleTicks(0)).toEqual([]);
  for (const length_ms of [0.004, 1, 3.3, 59, 12_345]) {
    const ticks = scaleTicks(length_ms);
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.at(-1)!.at_ms).toBeLessThanOrEqual(length_ms * (1 + 1e-6));
  }
});
