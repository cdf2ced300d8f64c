import { describe, expect, it } from 'vitest';
import { Admission, type Admitted } from './admission.ts';

class Transaction implements Admitted {
  settled = false;
  admitted = false;
  retries = 0;
  readonly start: () => void;

  constructor(start: (self: Transaction) => void) {
    this.start = () => start(this);
  }
}

/** Transactions that run, end and are replaced by new ones. */
class Crowd {
  readonly admission = new Admission();
  readonly running: Transaction[] = [];
  #owedRetries = 0;

  enter(count: number): void {
    for (let i = 0; i < count; i++) {
      this.admission.enter(new Transaction((self) => this.running.push(self)), 0);
    }
  }

  /** Ends this number of attempts, the longest running first. A new transaction follows each commit. */
  turn(ends: number, retriesPerCommit: number): void {
    for (let i = 0; i < ends; i++) {
      const transaction = this.running.shift()!;
      if (this.#owedRetries >= 1) {
        this.#owedRetries--;
        transaction.retries++;
        if (this.admission.retry(transaction, 0)) this.running.push(transaction);
      } else {
        this.#owedRetries += retriesPerCommit;
        this.admission.leave();
        this.enter(1);
      }
    }
  }
}

describe('admission', () => {
  it('admits all transactions if there are no retries', () => {
    const crowd = new Crowd();
    crowd.enter(5000);
    crowd.turn(5000, 0);
    expect(crowd.running.length).toBe(5000);
    expect(crowd.admission.waiting).toBe(0);
  });

  it('admits fewer while there are many retries, but always some', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    expect(crowd.running.length).toBe(256);
    crowd.turn(2000, 2);
    expect(crowd.running.length).toBe(4);
    expect(crowd.running.length + crowd.admission.waiting).toBe(1000);
  });

  it('admits more again after the retries have stopped', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    crowd.turn(2000, 2);
    crowd.turn(64 * 30, 0);
    expect(crowd.running.length).toBe(1000);
  });

  it('weighs a first retry less than later ones', () => {
    const limitAfter = (retries: number) => {
      const crowd = new Crowd();
      crowd.enter(1000);
      // Each tenth commit is preceded by a retry of a transaction that has had `retries` of them.
      for (let i = 0; i < 1000; i++) {
        const transaction = crowd.running.shift()!;
        transaction.retries = retries;
        if (i % 10 === 0) crowd.admission.retry(transaction, 0);
        crowd.admission.leave();
        crowd.enter(1);
      }
      return crowd.admission.limit;
    };
    expect(limitAfter(1)).toBeGreaterThan(256);
    expect(limitAfter(2)).toBeLessThan(256);
  });

  it('starts retries before new transactions', () => {
    const crowd = new Crowd();
    crowd.enter(300);
    while (crowd.admission.limit >= 256) crowd.turn(1, 2);
    const started: string[] = [];
    const again = new Transaction(() => started.push('again'));
    expect(crowd.admission.retry(again, 0)).toBe(false);
    crowd.admission.enter(new Transaction(() => started.push('new')), 0);
    while (started.length === 0) crowd.admission.leave();
    expect(started).toEqual(['again']);
  });

  it('bounds the wait, since running transactions may wait for queued ones', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    const before = crowd.running.length;
    crowd.admission.sweep(249);
    expect(crowd.running.length).toBe(before);
    crowd.admission.sweep(250);
    expect(crowd.running.length).toBe(1000);
  });

  it('does not overflow the stack with a long series of transactions that end within their start', () => {
    const crowd = new Crowd();
    crowd.enter(256);
    let ended = 0;
    for (let i = 0; i < 100_000; i++) {
      crowd.admission.enter(new Transaction(() => (ended++, crowd.admission.leave())), 0);
    }
    crowd.admission.leave();
    expect(ended).toBe(100_000);
  });
});
