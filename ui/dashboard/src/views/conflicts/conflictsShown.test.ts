import { expect, it } from 'vitest';
import type { MarkMessage } from '@claret/client/telemetry';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { conflictsOf, recordsOfPair, underOneRule } from './conflictsShown.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };

function told(frames: number, change?: { after: number; mark: (cluster: SyntheticCluster) => MarkMessage }) {
  const cluster = new SyntheticCluster();
  const store = new TelemetryStore();
  store.take(cluster.welcome());
  for (let frame = 0; frame < frames; frame += 1) {
    if (frame === change?.after) store.take(change.mark(cluster));
    store.take(cluster.frame());
  }
  return { store, span: { from_ms: store.oldest_ms!, to_ms: store.newest_ms! + 1 } };
}

it('a span without a switch counts in full, under the present conditions', () => {
  const { store, span } = told(50);
  expect(underOneRule(store, span)).toEqual({ span, since_ms: null, until_ms: null });
  const shown = conflictsOf(store, span);
  expect(shown.conditions).toEqual(store.conditions);
  expect(shown.seconds).toBeCloseTo(10, 6);
  const sum = shown.rows.reduce((all, { count }) => all + count, 0);
  expect(sum + shown.leftOut).toBe(store.totals.sum(span, 'conflicts'));
  expect(sum).toBeGreaterThan(0);
});

it('conflicts before a switch and in the second after it do not count; a span before the switch counts in full', () => {
  const { store, span } = told(100, { after: 50, mark: (cluster) => cluster.change({ locks: 'rw', phasing: false }) });
  const { at_ms } = store.marks[0]!;
  const after = underOneRule(store, span);
  expect(after).toEqual({ span: { from_ms: at_ms + 1_000, to_ms: span.to_ms }, since_ms: at_ms, until_ms: null });
  expect(conflictsOf(store, after.span).conditions).toMatchObject({ locks: 'rw', phasing: false });
  expect(conflictsOf(store, after.span).seconds).toBeCloseTo((span.to_ms - at_ms - 1_000) / 1_000, 0);

  const earlier = { from_ms: span.from_ms, to_ms: at_ms };
  expect(underOneRule(store, earlier)).toEqual({ span: earlier, since_ms: null, until_ms: null });
  expect(conflictsOf(store, earlier).conditions).toMatchObject({ locks: 'abstract', phasing: true });

  const justAfter = { from_ms: span.from_ms, to_ms: at_ms + 300 };
  expect(conflictsOf(store, underOneRule(store, justAfter).span)).toMatchObject({ rows: [], seconds: 0 });
});

it('once a load is over, its own time counts, whatever was switched and however little has happened since', () => {
  const { store, span } = told(100, {
    after: 50,
    mark: (cluster) => ({ ...cluster.change({}), what: { spike: 'ended', name: 'bid-spike' } }),
  });
  const { at_ms } = store.marks[0]!;
  store.take({ kind: 'mark', id: 'back', at_ms: at_ms + 10, what: { conditions: { locks: 'rw', phasing: false, combining: 'off' } } });
  expect(underOneRule(store, span)).toEqual({ span: { from_ms: span.from_ms, to_ms: at_ms }, since_ms: null, until_ms: at_ms });
  const seen = (to_ms: number) => conflictsOf(store, underOneRule(store, { from_ms: span.from_ms, to_ms }).span);
  expect(seen(span.to_ms)).toEqual(seen(at_ms + 2_000));

  const began = { kind: 'mark', id: 'begin', at_ms: at_ms + 1_000, what: { spike: 'began', name: 'bid-spike' } } as const;
  store.take(began);
  expect(underOneRule(store, span).until_ms).toBeNull();
});

it('records of a pair come with the conflicts that the store has counted for them', () => {
  const { store, span } = told(100);
  const everybody = { holder: null, comer: null };
  const records = recordsOfPair(store, span, everybody, []);
  expect(records.length).toBeGreaterThan(0);
  for (const { key, sightings, conflicts, shard } of records) {
    expect(sightings).toBeGreaterThan(0);
    const lane = store.records.lane(key);
    expect(conflicts).toBe(lane?.counts(span).conflicts ?? null);
    expect(shard).toBe(lane?.shard ?? null);
  }
  expect(recordsOfPair(store, ALL, { holder: 'Nobody', comer: 'Nobody' }, ['Nobody'])).toEqual([]);
});
