import { expect, test } from 'vitest';
import type { HotRecord, Warranty } from '@claret/client/telemetry';
import { LaneWarranties, type ToldWarranty } from './laneWarranties.ts';

const warranty = (part: Partial<Warranty>): Warranty => ({
  operation: 'TopK.top',
  holders: 2,
  agoMs: 100,
  lengthMs: 100,
  recalledMs: 0,
  ended: false,
  lapsed: false,
  ...part,
});
const report = (...warranties: Warranty[]) => ({ warranties }) as HotRecord;
const ALL = { from_ms: -Infinity, to_ms: Infinity };

function told(lane: LaneWarranties, span = ALL, newest_ms = 0): ToldWarranty[] {
  const seen: ToldWarranty[] = [];
  lane.visit(
    span,
    (told_ms) => Math.max(told_ms, newest_ms),
    (one) => seen.push(one),
  );
  return seen;
}

test('one that stands is told again and again, and is one; it goes on until the newest time', () => {
  const lane = new LaneWarranties();
  lane.take(report(warranty({ agoMs: 100, lengthMs: 100 })), 1_000);
  lane.take(report(warranty({ agoMs: 300, lengthMs: 300 })), 1_200);
  expect(told(lane, ALL, 1_300)).toEqual([
    { operation: 'TopK.top', began_ms: 900, ended_ms: 1_300, recalled_ms: 1_300, holders: 2, lapsed: false, stands: true },
  ]);
});

test('one that has ended stays where it was, with the time for which a change waited for it', () => {
  const lane = new LaneWarranties();
  lane.take(report(warranty({ agoMs: 100, lengthMs: 100, recalledMs: 5 })), 1_000);
  expect(told(lane, ALL, 1_050)).toMatchObject([{ recalled_ms: 995, ended_ms: 1_050 }]);
  lane.take(report(warranty({ agoMs: 300, lengthMs: 150, recalledMs: 55, ended: true, lapsed: true })), 1_200);
  lane.take(report(), 1_400);
  expect(told(lane)).toMatchObject([{ began_ms: 900, ended_ms: 1_050, recalled_ms: 995, lapsed: true, stands: false }]);
});

test('what stood on a record that has cooled down is taken as ended', () => {
  const lane = new LaneWarranties();
  lane.take(report(warranty({ agoMs: 100, lengthMs: 100 })), 1_000);
  lane.rest();
  expect(told(lane, ALL, 5_000)).toMatchObject([{ began_ms: 900, ended_ms: 1_000, stands: false }]);
});

test('a span has those that touch it, however long they are, and old ones are dropped', () => {
  const lane = new LaneWarranties();
  const ended = (agoMs: number, lengthMs: number) => warranty({ agoMs, lengthMs, ended: true });
  lane.take(report(ended(900, 100), ended(950, 800), ended(100, 50)), 1_000);
  const within = (from_ms: number, to_ms: number) => told(lane, { from_ms, to_ms }).map(({ began_ms }) => began_ms);
  expect(within(0, 150)).toEqual([100, 50]);
  expect(within(500, 600)).toEqual([50]);
  expect(within(880, 890)).toEqual([]);
  lane.dropBefore(300);
  expect(within(0, 2_000)).toEqual([50, 900]);
});
