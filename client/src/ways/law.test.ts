// Laws of the choices, under loads that are drawn: what learning and hesitating may cost. A choice is a function of the numbers
// that it is told, so nothing here depends on the machine.

import { expect, test } from 'vitest';
import { randomFrom } from '../testing/random.ts';
import { AheadSwitch, type LockTimes } from './ahead-switch.ts';
import { LabelWays } from './label-ways.ts';

const SCENARIOS = 120;
const LISTS = 20_000;

interface Costs {
  readonly epochMs: number;
  readonly locksMs: number;
}

/** Lists of one label, one after another. */
class Lists {
  /** what they have taken, and what they would have by the better way of each moment */
  readonly ms = { taken: 0, better: 0 };
  readonly #ways = new LabelWays(true);
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** What it takes is half chance. */
  one({ epochMs, locksMs }: Costs): void {
    const { ms } = this;
    const byEpoch = this.#ways.begin(ms.taken, this.#random());
    const takenMs = (byEpoch ? epochMs : locksMs) * (0.5 + this.#random());
    ms.taken += takenMs;
    ms.better += Math.min(epochMs, locksMs);
    this.#ways.took(byEpoch, takenMs, ms.taken);
    this.#ways.ended(byEpoch);
  }
}

const median = (shares: readonly number[]) => shares.toSorted((one, other) => one - other)[shares.length >> 1]!;

test.each([
  { changes: 0, middle: 1.01, worst: 1.1 },
  { changes: 3, middle: 1.03, worst: 1.2 },
  { changes: 19, middle: 1.08, worst: 1.2 },
])(
  'where the load changes $changes times, lists take $middle of the better way of each moment, and $worst at most',
  ({ changes, middle, worst }) => {
    const shares = Array.from({ length: SCENARIOS }, (_, seed) => {
      const random = randomFrom(seed + 1).next;
      const loads = Array.from({ length: changes + 1 }, (): Costs => ({ epochMs: 1 + 9 * random(), locksMs: 1 + 9 * random() }));
      const lists = new Lists(random);
      for (let list = 0; list < LISTS; list++) lists.one(loads[Math.floor((list * loads.length) / LISTS)]!);
      return lists.ms.taken / lists.ms.better;
    });
    expect(median(shares)).toBeLessThan(middle);
    expect(Math.max(...shares)).toBeLessThan(worst);
  },
);

test('a client goes over to chains and back at most once a second, whatever happens', () => {
  for (let seed = 1; seed <= SCENARIOS; seed++) {
    const random = randomFrom(seed);
    const ahead = new AheadSwitch();
    ahead.configure('auto', 0);
    const times = { attempts: 0, attemptMs: 0, waitedMs: 0, runs: 0 } satisfies LockTimes;
    let [wasOn, turnedOnMs] = [false, -Infinity];
    for (let nowMs = 0; nowMs < 60_000; nowMs += 1 + random.below(20)) {
      for (let n = random.below(100); n > 0; n--) {
        if (!ahead.on) {
          times.attempts++;
          times.attemptMs += 1;
          times.waitedMs += random.next();
        } else if (random.below(2) === 0) ahead.member(random.below(30) === 0);
        else ahead.denied();
      }
      ahead.look(nowMs, () => times);
      if (ahead.on && !wasOn) {
        expect(nowMs - turnedOnMs).toBeGreaterThanOrEqual(1_000);
        turnedOnMs = nowMs;
      }
      wasOn = ahead.on;
    }
    expect(turnedOnMs).toBeGreaterThan(0);
  }
});

test('where locks deny its members, a client tries chains less often each time', () => {
  const ahead = new AheadSwitch();
  ahead.configure('auto', 0);
  const times = { attempts: 0, attemptMs: 0, waitedMs: 0, runs: 0 } satisfies LockTimes;
  let [wasOn, on] = [false, 0];
  for (let nowMs = 0; nowMs < 600_000; nowMs += 10) {
    for (let n = 0; n < 20; n++) {
      if (ahead.on) ahead.denied();
      else Object.assign(times, { attempts: times.attempts + 1, attemptMs: times.attemptMs + 1, waitedMs: times.waitedMs + 1 });
    }
    ahead.look(nowMs, () => times);
    if (ahead.on && !wasOn) on++;
    wasOn = ahead.on;
  }
  // Pauses of 1, 2, 4, 8, 16 and then 30 s, with 2 s of trying between them.
  expect(on).toBeLessThan(25);
  expect(on).toBeGreaterThan(15);
});
