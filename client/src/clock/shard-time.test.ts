import { expect, it } from 'vitest';
import type { Wide } from '../wire/wide.ts';
import { ShardTime } from './shard-time.ts';

const START_MS = 1_800_000_000_000;
/** The timestamp of a shard's moment. */
function stamp(ms: number): Wide {
  const at = (BigInt(Math.round(ms * 4_000)) << 8n) | 3n;
  return { high: Number(at >> 32n), low: Number(at & 0xffff_ffffn) };
}

it('is what the quickest message says, however late the others are', () => {
  const time = new ShardTime();
  expect(time.known).toBe(false);
  time.begin(stamp(START_MS), 500); // took 40 ms
  expect(time.at(500)).toBe(START_MS);
  time.told(stamp(START_MS + 100), 561); // took 1 ms
  time.told(stamp(START_MS + 150), 910); // took 300 ms
  expect(time.at(1_000)).toBe(START_MS + 539);
});

it('never goes back within a session, though a clock that runs fast is followed', () => {
  const time = new ShardTime();
  time.begin(stamp(START_MS), 0);
  let last = 0;
  // The steady clock here gains half a millisecond a second, and each message takes up to 3 ms.
  for (let ms = 0; ms < 3_600_000; ms += 997) {
    const local = ms * 1.0005;
    time.told(stamp(START_MS + ms - (ms % 3)), local);
    const now = time.at(local);
    expect(now).toBeGreaterThanOrEqual(last);
    expect(Math.abs(now - (START_MS + ms))).toBeLessThanOrEqual(5);
    last = now;
  }
});

it('starts again with each session, which may be with another machine', () => {
  const time = new ShardTime();
  time.begin(stamp(START_MS + 9_000), 0);
  expect(time.at(10)).toBe(START_MS + 9_010);
  time.begin(stamp(START_MS), 20);
  expect(time.at(30)).toBe(START_MS + 10);
});

it('takes nothing from a message that names no time', () => {
  const time = new ShardTime();
  time.begin({ high: 0, low: 0 }, 5);
  time.told({ high: 0, low: 0 }, 6);
  expect(time.known).toBe(false);
  time.told(stamp(START_MS), 7);
  time.begin({ high: 0, low: 0 }, 8);
  expect(time.at(17)).toBe(START_MS + 10);
});
