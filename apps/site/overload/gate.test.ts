// The gate against a model that keeps every event and counts anew each time.
import { freshSeed, randomFrom } from '@claret/client/testing';
import { describe, expect, test } from 'vitest';

import { Gate, type Lane, type Reason } from './gate.ts';
import { DEADLINE_MS, GATE_LIMITS, type GateLimits } from './limits.ts';

type Visit = { lane: Lane; arrivedMs: number };
type Answer = { arrivedMs: number; atMs: number };

class Model {
  readonly limits: GateLimits;
  limit: number;
  inside: Visit[] = [];
  refused: Reason[] = [];
  /** since the last window */
  answers: Answer[] = [];
  lateness: number[] = [];
  counts: number[] = [0];
  turnedAway = false;
  windowMs = -Infinity;
  decreasedMs = -Infinity;

  constructor(limits: GateLimits) {
    this.limits = limits;
    this.limit = limits.at_work_first;
  }

  count(...lanes: Lane[]): number {
    return this.inside.filter(({ lane }) => lanes.includes(lane)).length;
  }

  arrive(lane: Lane, arrivedMs: number, nowMs: number): Reason | null {
    const reason = this.judge(lane, nowMs - arrivedMs);
    if (reason === null) {
      this.inside.push({ lane, arrivedMs });
      this.counts.push(this.count('read', 'write'));
    } else {
      this.refused.push(reason);
      this.turnedAway ||= reason === 'at_work' || reason === 'share';
    }
    return reason;
  }

  judge(lane: Lane, ageMs: number): Reason | null {
    if (lane === 'probe') return null;
    if (lane === 'page') return this.count('page') >= this.limits.pages_at_work_max ? 'pages' : null;
    if (ageMs >= DEADLINE_MS[lane]) return 'late';
    if (this.count('read', 'write') >= this.limit) return 'at_work';
    return this.count(lane) >= Math.ceil(this.limit * this.limits.kind_share_max) ? 'share' : null;
  }

  leave(visit: Visit, nowMs: number): void {
    this.inside.splice(this.inside.indexOf(visit), 1);
    if (visit.lane === 'read' || visit.lane === 'write') this.answers.push({ arrivedMs: visit.arrivedMs, atMs: nowMs });
  }

  look(nowMs: number, latenessMs: number): void {
    const { limits } = this;
    this.lateness.push(latenessMs);
    if (nowMs - this.windowMs < limits.window_ms) return;
    const delays = this.answers.filter(({ arrivedMs }) => arrivedMs >= this.decreasedMs).map(({ arrivedMs, atMs }) => atMs - arrivedMs);
    const mean = delays.length === 0 ? 0 : delays.reduce((sum, ms) => sum + ms) / delays.length;
    const delay = Math.max(mean, ...this.lateness);
    if (delay > limits.delay_target_ms) {
      if (nowMs - this.decreasedMs >= limits.delay_target_ms) {
        const [, share] = [limits.decrease_most, limits.delay_target_ms / delay, limits.decrease_least].sort((a, b) => a - b);
        const limit = Math.max(limits.at_work_least, Math.floor(this.limit * share!));
        if (Math.max(...this.counts) > limit) [this.limit, this.decreasedMs] = [limit, nowMs];
      }
    } else if (this.turnedAway && delays.length > 0) {
      this.limit = Math.min(limits.at_work_most, this.limit + (delay * 2 < limits.delay_target_ms ? limits.increase : 1));
    }
    this.windowMs = nowMs;
    this.answers = [];
    this.lateness = [];
    this.counts = [this.count('read', 'write')];
    this.turnedAway = false;
  }
}

const LANES: readonly Lane[] = ['read', 'read', 'read', 'write', 'write', 'page', 'probe'];

describe('The gate', () => {
  test('does what a model does that remembers everything, whatever comes and goes', () => {
    const seed = freshSeed();
    const random = randomFrom(seed);
    const pick = (count: number): number => random.below(count);
    const limits: GateLimits = { ...GATE_LIMITS, at_work_first: 12, at_work_least: 2, at_work_most: 30, pages_at_work_max: 4, increase: 3 };
    const [gate, model] = [new Gate(limits), new Model(limits)];
    let nowMs = 1_000;
    let slow = false;
    const seen = new Set<string>();
    for (let step = 0; step < 20_000; step++) {
      if (pick(400) === 0) slow = !slow;
      nowMs += pick(slow ? 40 : 8);
      const what = pick(10);
      if (what < 5) {
        const lane = LANES[pick(LANES.length)]!;
        const arrivedMs = nowMs - (pick(50) === 0 ? pick(6_000) : pick(3));
        const expected = model.arrive(lane, arrivedMs, nowMs);
        expect(gate.arrive(lane, arrivedMs, nowMs), `seed ${seed}, step ${step}`).toBe(expected);
        seen.add(expected ?? 'in');
      } else if (what < 9 && model.inside.length > 0) {
        const visit = model.inside[pick(model.inside.length)]!;
        model.leave(visit, nowMs);
        gate.leave(visit.lane, visit.arrivedMs, nowMs);
      } else {
        const [loopMs, storeMs] = [pick(60) === 0 ? pick(500) : 0, pick(60) === 0 ? pick(500) : 0];
        const before = gate.limit;
        model.look(nowMs, Math.max(loopMs, storeMs));
        gate.look(nowMs, loopMs, storeMs);
        if (gate.limit !== before) seen.add(gate.limit > before ? 'more' : 'fewer');
      }
      expect(gate.limit, `seed ${seed}, step ${step}`).toBe(model.limit);
      for (const lane of LANES) expect(gate.atWork[lane], `seed ${seed}, step ${step}`).toBe(model.count(lane));
    }
    for (const reason of ['at_work', 'share', 'pages', 'late'] as const) {
      expect(gate.refused[reason]).toBe(model.refused.filter((one) => one === reason).length);
    }
    expect([...seen].sort(), `seed ${seed}`).toEqual(['at_work', 'fewer', 'in', 'late', 'more', 'pages', 'share']);
  });

  test('keeps room for bids however many look, and for lookers however many bid', () => {
    for (const [many, few] of [
      ['read', 'write'],
      ['write', 'read'],
    ] as const) {
      const gate = new Gate(GATE_LIMITS);
      let inside = 0;
      while (gate.arrive(many, 0, 0) === null) inside++;
      expect(inside).toBe(GATE_LIMITS.at_work_first * GATE_LIMITS.kind_share_max);
      expect(gate.refused.share).toBe(1);
      while (gate.arrive(few, 0, 0) === null) inside++;
      expect(inside).toBe(GATE_LIMITS.at_work_first);
      expect(gate.refused.at_work).toBe(1);
    }
  });

  test('sheds no files and no probes for the store’s slowness', () => {
    const gate = new Gate(GATE_LIMITS);
    while (gate.arrive('read', 0, 0) === null);
    while (gate.arrive('write', 0, 0) === null);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 50) gate.look(nowMs, 0, 10_000);
    expect(gate.limit).toBe(GATE_LIMITS.at_work_least);
    for (let i = 0; i < 100; i++) expect(gate.arrive('read', 60_000, 60_000)).toBe('at_work');
    expect(gate.arrive('page', 0, 60_000)).toBeNull();
    expect(gate.arrive('probe', 0, 60_000)).toBeNull();
  });
});

/** A server that answers `per_s` requests a second, in the order in which they came in, while `arrivals_per_s` come. */
function serve(gate: Gate, per_s: number, arrivals_per_s: number, fromMs: number, seconds: number) {
  const inside: { arrivedMs: number; lane: Lane }[] = [];
  const delays: number[] = [];
  let [due, served, refused] = [0, 0, 0];
  for (let nowMs = fromMs; nowMs < fromMs + seconds * 1_000; nowMs++) {
    for (due += arrivals_per_s / 1_000; due >= 1; due--) {
      const lane = served % 3 === 0 ? 'write' : 'read';
      if (gate.arrive(lane, nowMs, nowMs) === null) inside.push({ arrivedMs: nowMs, lane });
      else refused++;
    }
    for (served += per_s / 1_000; served >= 1 && inside.length > 0; served--) {
      const { arrivedMs, lane } = inside.shift()!;
      gate.leave(lane, arrivedMs, nowMs);
      delays.push(nowMs - arrivedMs);
    }
    served %= 1;
    if (nowMs % 10 === 0) gate.look(nowMs, 0, 0);
  }
  for (const { arrivedMs, lane } of inside) gate.leave(lane, arrivedMs, fromMs + seconds * 1_000);
  return { delays, refused };
}

describe('Its limit', () => {
  test('stays where it is when few are slow: it is not they who make each other wait', () => {
    const gate = new Gate(GATE_LIMITS);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 500) {
      for (let i = 0; i < 30; i++) expect(gate.arrive('read', nowMs, nowMs)).toBeNull();
      gate.look(nowMs + 400, 300, 0);
      for (let i = 0; i < 30; i++) gate.leave('read', nowMs, nowMs + 400);
      gate.look(nowMs + 500, 300, 0);
    }
    expect(gate.limit).toBe(GATE_LIMITS.at_work_first);
  });

  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  test('comes down to where answers keep the target, for a server of any speed at three times what it serves', () => {
    for (const per_s of [150, 400, 2_000]) {
      const gate = new Gate(GATE_LIMITS);
      serve(gate, per_s, per_s * 3, 0, 20);
      const { delays } = serve(gate, per_s, per_s * 3, 20_000, 20);
      expect(mean(delays), `${per_s} a second`).toBeLessThan(GATE_LIMITS.delay_target_ms * 1.3);
      // and it is no lower than needed: the server is never idle
      expect(delays.length, `${per_s} a second`).toBeGreaterThan(per_s * 20 * 0.95);
    }
  });

  test('is out of the way again soon after', () => {
    const gate = new Gate(GATE_LIMITS);
    serve(gate, 20, 2_000, 0, 20);
    expect(gate.limit).toBe(GATE_LIMITS.at_work_least);
    serve(gate, 5_000, 2_000, 20_000, 2);
    expect(serve(gate, 5_000, 2_000, 22_000, 2).refused).toBe(0);
  });
});
