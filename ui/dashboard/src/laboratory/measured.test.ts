import { expect, test } from 'vitest';
import type { Conditions, FrameMessage, MarkMessage } from '@claret/client/telemetry';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { findingsOf } from '../tour/findings.ts';
import { STEPS } from '../tour/steps.ts';
import { WAYS } from './conditions.ts';
import { newestSwitch } from './measured.ts';

const BEGAN_MS = 1_000_000_000_000;
const rw: Conditions = WAYS[0].conditions;
const abstract: Conditions = WAYS[1].conditions;

/** A cluster whose every frame of 200 ms reports the given numbers of commits and retries. */
class Steady {
  readonly store = new TelemetryStore();
  private readonly cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, hotRecords: 1 });
  private at_ms = BEGAN_MS;

  constructor(conditions: Conditions) {
    this.store.take({ ...this.cluster.welcome(), conditions });
  }

  run(seconds: number, commits: number, retries: number): void {
    for (let frame = 0; frame < 5 * seconds; frame++) {
      const told: FrameMessage = this.cluster.frame();
      this.at_ms = told.at_ms;
      Object.assign(told.shards[0]!.telemetry, { homeCommits: commits, retries });
      this.store.take(told);
    }
  }

  mark(what: MarkMessage['what']): void {
    const message = { kind: 'mark' as const, id: `${this.at_ms} ${JSON.stringify(what)}`, at_ms: this.at_ms, what };
    this.store.take(message);
  }
}

test('before and after are measured on both sides of the newest switch, each within its stretch', () => {
  const cluster = new Steady(rw);
  cluster.run(5, 0, 0);
  cluster.mark({ spike: 'began', name: 'bid-spike' });
  cluster.run(6, 200, 800);
  cluster.mark({ conditions: abstract });
  cluster.run(8, 1_000, 100);
  const switched = newestSwitch(cluster.store)!;
  expect(switched.before!.measured!.committed_per_s).toBeCloseTo(1_000);
  expect(switched.before!.measured!.retries_per_commit).toBeCloseTo(4);
  expect(switched.before!.measured!.span.from_ms).toBeGreaterThanOrEqual(BEGAN_MS + 5_000);
  expect(switched.before!.stretch).toMatchObject({ spike: 'bid-spike', conditions: rw });
  expect(switched.after.measured!.committed_per_s).toBeCloseTo(5_000);
  expect(switched.after.measured!.retries_per_commit).toBeCloseTo(0.1);
});

test('a very recent switch has a before, and an after as soon as a second has passed', () => {
  const cluster = new Steady(rw);
  cluster.run(5, 200, 0);
  cluster.mark({ conditions: abstract });
  cluster.run(1, 1_000, 0);
  expect(newestSwitch(cluster.store)!.before!.measured!.committed_per_s).toBeCloseTo(1_000);
  expect(newestSwitch(cluster.store)!.after.measured).toBeNull();
  cluster.run(2, 1_000, 0);
  expect(newestSwitch(cluster.store)!.after.measured!.committed_per_s).toBeCloseTo(5_000);
});

test('without a switch nothing is compared', () => {
  const cluster = new Steady(rw);
  cluster.run(5, 200, 0);
  expect(newestSwitch(cluster.store)).toBeNull();
  expect(newestSwitch(new TelemetryStore())).toBeNull();
});

test('the tour finds its steps wherever they ran, and has no figures for the others', () => {
  const cluster = new Steady(abstract);
  cluster.run(3, 0, 0);
  cluster.mark({ conditions: rw });
  cluster.mark({ spike: 'began', name: 'bid-spike' });
  cluster.run(8, 200, 800);
  cluster.mark({ spike: 'ended', name: 'bid-spike' });
  cluster.run(4, 0, 0);
  cluster.mark({ conditions: abstract });
  cluster.mark({ spike: 'began', name: 'bid-spike' });
  cluster.run(2, 1_000, 0);
  const findings = findingsOf(cluster.store, STEPS);
  expect(findings[0]!.committed_per_s).toBeCloseTo(1_000);
  expect(findings.slice(1)).toEqual(Array(10).fill(null));
  cluster.run(4, 1_000, 0);
  expect(findingsOf(cluster.store, STEPS)[1]!.committed_per_s).toBeCloseTo(5_000);
});

test('the conditions at the beginning of the history outlive the marks that reported them', () => {
  const cluster = new Steady(abstract);
  cluster.run(1, 0, 0);
  cluster.mark({ conditions: rw });
  cluster.run(1, 0, 0);
  expect(cluster.store.firstConditions).toEqual(abstract);
  cluster.run(601, 1, 0);
  expect(cluster.store.marks).toEqual([]);
  expect(cluster.store.firstConditions).toEqual(rw);
  cluster.store.clear();
  expect(cluster.store.firstConditions).toBeNull();
});
