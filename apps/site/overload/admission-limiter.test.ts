// The limiter against a model that keeps every event and recounts each time.
import { freshSeed, randomFrom } from '@claret/client/testing';
import { describe, expect, test } from 'vitest';

import { AdmissionLimiter, type Lane, type ShedReason } from './admission-limiter.ts';
import { DEADLINE_MS, ADMISSION_LIMITS, type AdmissionLimits } from './limits.ts';

type Request = { lane: Lane; arrivedMs: number };
type Answer = { arrivedMs: number; atMs: number };

class Model {
  readonly limits: AdmissionLimits;
  limit: number;
  inside: Request[] = [];
  refused: ShedReason[] = [];
  /** since the last window */
  answers: Answer[] = [];
  lateness: number[] = [];
  counts: number[] = [0];
  turnedAway = false;
  windowMs = -Infinity;
  decreasedMs = -Infinity;

  constructor(limits: AdmissionLimits) {
    this.limits = limits;
    this.limit = limits.at_work_first;
  }

  count(...lanes: Lane[]): number {
    return this.inside.filter(({ lane }) => lanes.includes(lane)).length;
  }

  admit(lane: Lane, arrivedMs: number, nowMs: number): ShedReason | null {
    const reason = this.check(lane, nowMs - arrivedMs);
    if (reason === null) {
      this.inside.push({ lane, arrivedMs });
      this.counts.push(this.count('read', 'write'));
    } else {
      this.refused.push(reason);
      this.turnedAway ||= reason === 'at_work' || reason === 'share';
    }
    return reason;
  }

  check(lane: Lane, ageMs: number): ShedReason | null {
    if (lane === 'probe') return null;
    if (lane === 'page') return this.count('page') >= this.limits.pages_at_work_max ? 'pages' : null;
    if (ageMs >= DEADLINE_MS[lane]) return 'late';
    if (this.count('read', 'write') >= this.limit) return 'at_work';
    return this.count(lane) >= Math.ceil(this.limit * this.limits.kind_share_max) ? 'share' : null;
  }

  release(request: Request, nowMs: number): void {
    this.inside.splice(this.inside.indexOf(request), 1);
    if (request.lane === 'read' || request.lane === 'write') this.answers.push({ arrivedMs: request.arrivedMs, atMs: nowMs });
  }

  observe(nowMs: number, latenessMs: number): void {
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

describe('The admission limiter', () => {
  test('agrees with a model that keeps every event, for random arrivals and answers', () => {
    const seed = freshSeed();
    const random = randomFrom(seed);
    const pick = (count: number): number => random.below(count);
    const limits: AdmissionLimits = {
      ...ADMISSION_LIMITS,
      at_work_first: 12,
      at_work_least: 2,
      at_work_most: 30,
      pages_at_work_max: 4,
      increase: 3,
    };
    const [limiter, model] = [new AdmissionLimiter(limits), new Model(limits)];
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
        const expected = model.admit(lane, arrivedMs, nowMs);
        expect(limiter.admit(lane, arrivedMs, nowMs), `seed ${seed}, step ${step}`).toBe(expected);
        seen.add(expected ?? 'in');
      } else if (what < 9 && model.inside.length > 0) {
        const request = model.inside[pick(model.inside.length)]!;
        model.release(request, nowMs);
        limiter.release(request.lane, request.arrivedMs, nowMs);
      } else {
        const [loopMs, storeMs] = [pick(60) === 0 ? pick(500) : 0, pick(60) === 0 ? pick(500) : 0];
        const before = limiter.limit;
        model.observe(nowMs, Math.max(loopMs, storeMs));
        limiter.observe(nowMs, loopMs, storeMs);
        if (limiter.limit !== before) seen.add(limiter.limit > before ? 'more' : 'fewer');
      }
      expect(limiter.limit, `seed ${seed}, step ${step}`).toBe(model.limit);
      for (const lane of LANES) expect(limiter.atWork[lane], `seed ${seed}, step ${step}`).toBe(model.count(lane));
    }
    for (const reason of ['at_work', 'share', 'pages', 'late'] as const) {
      expect(limiter.refused[reason]).toBe(model.refused.filter((one) => one === reason).length);
    }
    expect([...seen].sort(), `seed ${seed}`).toEqual(['at_work', 'fewer', 'in', 'late', 'more', 'pages', 'share']);
  });

  test('keeps slots for bids however many requests read, and for reads however many bid', () => {
    for (const [many, few] of [
      ['read', 'write'],
      ['write', 'read'],
    ] as const) {
      const limiter = new AdmissionLimiter(ADMISSION_LIMITS);
      let inside = 0;
      while (limiter.admit(many, 0, 0) === null) inside++;
      expect(inside).toBe(ADMISSION_LIMITS.at_work_first * ADMISSION_LIMITS.kind_share_max);
      expect(limiter.refused.share).toBe(1);
      while (limiter.admit(few, 0, 0) === null) inside++;
      expect(inside).toBe(ADMISSION_LIMITS.at_work_first);
      expect(limiter.refused.at_work).toBe(1);
    }
  });

  test('sheds no files and no probes because of a slow store', () => {
    const limiter = new AdmissionLimiter(ADMISSION_LIMITS);
    while (limiter.admit('read', 0, 0) === null);
    while (limiter.admit('write', 0, 0) === null);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 50) limiter.observe(nowMs, 0, 10_000);
    expect(limiter.limit).toBe(ADMISSION_LIMITS.at_work_least);
    for (let i = 0; i < 100; i++) expect(limiter.admit('read', 60_000, 60_000)).toBe('at_work');
    expect(limiter.admit('page', 0, 60_000)).toBeNull();
    expect(limiter.admit('probe', 0, 60_000)).toBeNull();
  });
});

/** A server that answers `per_s` requests a second, first in, first out, while `arrivals_per_s` arrive. */
function serve(limiter: AdmissionLimiter, per_s: number, arrivals_per_s: number, fromMs: number, seconds: number) {
  const inside: { arrivedMs: number; lane: Lane }[] = [];
  const delays: number[] = [];
  let [due, served, refused] = [0, 0, 0];
  for (let nowMs = fromMs; nowMs < fromMs + seconds * 1_000; nowMs++) {
    for (due += arrivals_per_s / 1_000; due >= 1; due--) {
      const lane = served % 3 === 0 ? 'write' : 'read';
      if (limiter.admit(lane, nowMs, nowMs) === null) inside.push({ arrivedMs: nowMs, lane });
      else refused++;
    }
    for (served += per_s / 1_000; served >= 1 && inside.length > 0; served--) {
      const { arrivedMs, lane } = inside.shift()!;
      limiter.release(lane, arrivedMs, nowMs);
      delays.push(nowMs - arrivedMs);
    }
    served %= 1;
    if (nowMs % 10 === 0) limiter.observe(nowMs, 0, 0);
  }
  for (const { arrivedMs, lane } of inside) limiter.release(lane, arrivedMs, fromMs + seconds * 1_000);
  return { delays, refused };
}

describe('The limit', () => {
  test('stays as it is when few requests are slow: concurrency is not the cause of the delay', () => {
    const limiter = new AdmissionLimiter(ADMISSION_LIMITS);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 500) {
      for (let i = 0; i < 30; i++) expect(limiter.admit('read', nowMs, nowMs)).toBeNull();
      limiter.observe(nowMs + 400, 300, 0);
      for (let i = 0; i < 30; i++) limiter.release('read', nowMs, nowMs + 400);
      limiter.observe(nowMs + 500, 300, 0);
    }
    expect(limiter.limit).toBe(ADMISSION_LIMITS.at_work_first);
  });

  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  test('adapts so that answers keep the target delay, for a server of any speed at three times its capacity', () => {
    for (const per_s of [150, 400, 2_000]) {
      const limiter = new AdmissionLimiter(ADMISSION_LIMITS);
      serve(limiter, per_s, per_s * 3, 0, 20);
      const { delays } = serve(limiter, per_s, per_s * 3, 20_000, 20);
      expect(mean(delays), `${per_s} a second`).toBeLessThan(ADMISSION_LIMITS.delay_target_ms * 1.3);
      // and the limit is no lower than necessary: the server is never idle
      expect(delays.length, `${per_s} a second`).toBeGreaterThan(per_s * 20 * 0.95);
    }
  });

  test('recovers soon after the overload', () => {
    const limiter = new AdmissionLimiter(ADMISSION_LIMITS);
    serve(limiter, 20, 2_000, 0, 20);
    expect(limiter.limit).toBe(ADMISSION_LIMITS.at_work_least);
    serve(limiter, 5_000, 2_000, 20_000, 2);
    expect(serve(limiter, 5_000, 2_000, 22_000, 2).refused).toBe(0);
  });
});
