import { describe, expect, it } from 'vitest';
import type { MarkMessage } from '@claret/client/telemetry';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };

describe('the store', () => {
  it('is empty before the first frame', () => {
    const store = new TelemetryStore();
    expect([store.newest_ms, store.oldest_ms, store.conditions, store.shards]).toEqual([null, null, null, 0]);
    expect(store.totals.latency(ALL, 0.5)).toBeNull();
    expect(store.totals.perSecond(ALL, 'committed')).toBeNull();
    expect(store.conflicts.rows(ALL)).toEqual([]);
    expect(store.records.lanes(ALL, 'heat', 10)).toEqual([]);
    expect(store.waiters.at(1e15)).toBeNull();
    expect(store.samples.list(ALL)).toEqual([]);
  });

  it('adds up the reports of shards', () => {
    const cluster = new SyntheticCluster();
    const store = new TelemetryStore();
    const messages = [...cluster.messages(50)];
    for (const message of messages) store.take(message);
    const frames = messages.filter((message) => message.kind === 'frame');
    const expected = frames.flatMap(({ shards }) => shards).reduce((sum, { telemetry }) => sum + telemetry.homeCommits, 0);
    expect(store.totals.sum(ALL, 'committed')).toBe(expected);
    expect(store.totals.perSecond(ALL, 'committed')).toBeCloseTo(expected / 10, 6);
    expect(store.newest_ms! - store.oldest_ms!).toBe(49 * 200);
    expect(store.records.lanes(ALL, 'heat', 100)).toHaveLength(32);
    expect([...store.records.modes].sort()).toEqual(['add', 'exclusive', 'raise', 'read']);
  });

  it('has a change of the conditions once, however many gateways have marked it, and each change of a quick series', () => {
    const store = new TelemetryStore();
    const cluster = new SyntheticCluster({ shards: 1, hotRecords: 1 });
    const welcome = cluster.welcome();
    const [rw, abstract] = (['rw', 'abstract'] as const).map((locks) => cluster.change({ locks }).what);
    const mark = (id: string, after_ms: number, what: typeof rw): MarkMessage => ({
      kind: 'mark',
      id,
      at_ms: welcome.at_ms + after_ms,
      what: what!,
    });
    const ofFirst = [mark('0-1', 0, rw), mark('0-2', 1_000, abstract), mark('0-3', 2_000, rw), mark('0-4', 60_000, rw)];
    for (const one of ofFirst) store.take(one);
    for (const one of [mark('1-1', 3, rw), mark('1-2', 997, abstract), mark('1-3', 2_004, rw), mark('0-1', 0, rw)]) store.take(one);
    expect(store.marks).toEqual(ofFirst.map(({ id, at_ms, what }) => ({ id, at_ms, what })));
  });

  it('shows a phase in progress once, growing, and phases one after the other', () => {
    const cluster = new SyntheticCluster({ phase_ms: 700 });
    const store = new TelemetryStore();
    for (const message of cluster.messages(200)) store.take(message);
    for (const lane of store.records.lanes(ALL, 'heat', 100)) {
      const phases: [number, number, number][] = [];
      lane.phases(ALL, (mode, began_ms, ended_ms) => phases.push([mode, began_ms, ended_ms]));
      expect(phases.length).toBeGreaterThan(20);
      for (let at = 1; at < phases.length; at += 1) {
        expect(phases[at]![0]).not.toBe(phases[at - 1]![0]);
        expect(phases[at]![1]).toBeCloseTo(phases[at - 1]![2], 1);
      }
      expect(phases.at(-1)![2]).toBe(store.newest_ms);
    }
  });
});
