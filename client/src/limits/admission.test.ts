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

/** Transactions that run, end and are followed by others. */
class Crowd {
  readonly admission = new Admission();
  readonly running: Transaction[] = [];
  #owedRetries = 0;

  enter(count: number): void {
    for (let i = 0; i < count; i++) {
      this.admission.enter(new Transaction((self) => this.running.push(self)), 0);
    }
  }

  /** Attempts end, the longest running first; for each that commits a new transaction comes. */
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
  it('lets a crowd without retries run', () => {
    const crowd = new Crowd();
    crowd.enter(5000);
    crowd.turn(5000, 0);
    expect(crowd.running.length).toBe(5000);
    expect(crowd.admission.waiting).toBe(0);
  });

  it('lets fewer run while there are many retries, but never none', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    expect(crowd.running.length).toBe(256);
    crowd.turn(2000, 2);
    expect(crowd.running.length).toBe(4);
    expect(crowd.running.length + crowd.admission.waiting).toBe(1000);
  });

  it('lets more run again when the retries have gone', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    crowd.turn(2000, 2);
    crowd.turn(64 * 30, 0);
    expect(crowd.running.length).toBe(1000);
  });

  it('forgives a first retry more than those that follow', () => {
    const limitAfter = (retries: number) => {
      const crowd = new Crowd();
      crowd.enter(1000);
      // Each tenth commit is preceded by a retry of a transaction that has had so many.
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

  it('starts what has to run again before what is new', () => {
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

  it('keeps nobody waiting for ever, since those that run may wait for those that may not', () => {
    const crowd = new Crowd();
    crowd.enter(1000);
    const before = crowd.running.length;
    crowd.admission.sweep(249);
    expect(crowd.running.length).toBe(before);
    crowd.admission.sweep(250);
    expect(crowd.running.length).toBe(1000);
  });

  it('is not exhausted by a long row of transactions that end within their start', () => {
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
