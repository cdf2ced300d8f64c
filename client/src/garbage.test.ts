// What has ended must not be kept alive by dead objects in V8's old generation. Otherwise the young generation of a busy client is
// collected in tens of milliseconds (npm run bench -- processes).

import { setFlagsFromString, GCProfiler, type HeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Deadlines } from './limits/deadlines.ts';
import { NativesInFlight } from './native/natives-in-flight.ts';
import type { Native } from './native/native.ts';
import { NumberedTable } from './session/numbered-table.ts';
import { SeededEnvironment } from './testing/seeded-environment.ts';

const IN_FLIGHT = 512;
const COUNT = 1_000_000;
const SHARE_MAX = 0.05;

/** A class, since V8 would sooner or later make literals in the old generation. */
class Item {
  place = 0;
  number = 0;
  // Some bytes, so that the young generation fills several times.
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  e = 0;
  f = 0;
  g = 0;
  h = 0;

  look(): void {}
}

setFlagsFromString('--expose-gc');
const collectAll = runInNewContext('gc') as () => void;

const bytesIn = (space: string, { heapSpaceStatistics }: { heapSpaceStatistics: readonly HeapSpaceStatistics[] }) =>
  heapSpaceStatistics.find(({ spaceName }) => spaceName === space)!.spaceUsedSize;

/** The share of the young generation that its collections move to the old one, while items begin and end, the oldest first. */
function promotedShare(begin: (item: Item) => void, end: (item: Item) => void): number {
  const begun = () => {
    const item = new Item();
    begin(item);
    return item;
  };
  const inFlight = Array.from({ length: IN_FLIGHT }, begun);
  // What holds the items is old from here on.
  collectAll();
  const profiler = new GCProfiler();
  profiler.start();
  for (let i = 0; i < COUNT; i++) {
    end(inFlight[i % IN_FLIGHT]!);
    inFlight[i % IN_FLIGHT] = begun();
  }
  const scavenges = profiler.stop()!.statistics.filter(({ gcType }) => gcType === 'Scavenge');
  const sum = (bytes: (scavenge: (typeof scavenges)[number]) => number) => scavenges.reduce((total, each) => total + bytes(each), 0);
  const young = sum(({ beforeGC }) => bytesIn('new_space', beforeGC));
  expect(young).toBeGreaterThan(0);
  return sum(({ beforeGC, afterGC }) => bytesIn('old_space', afterGC) - bytesIn('old_space', beforeGC)) / young;
}

test('transactions that are settled', () => {
  const deadlines = new Deadlines<Item>(new SeededEnvironment(1), () => false);
  const share = promotedShare(
    (item) => deadlines.add(item),
    (item) => deadlines.remove(item),
  );
  deadlines.stop();
  expect(share).toBeLessThan(SHARE_MAX);
});

test('attempts that have ended', () => {
  const attempts = new NumberedTable<Item>();
  const share = promotedShare(
    (item) => attempts.add(item),
    (item) => attempts.remove(item),
  );
  expect(share).toBeLessThan(SHARE_MAX);
});

test('natives that are answered', () => {
  const natives = new NativesInFlight();
  const share = promotedShare(
    (item) => {
      item.number = natives.next;
      natives.add(item as unknown as Native);
    },
    (item) => natives.delete(item.number),
  );
  expect(share).toBeLessThan(SHARE_MAX);
});

test('a Set keeps what it no longer has, so these tests can fail', () => {
  const set = new Set<Item>();
  const share = promotedShare(
    (item) => set.add(item),
    (item) => set.delete(item),
  );
  expect(share).toBeGreaterThan(2 * SHARE_MAX);
});
