// One record that app servers read all the time, and another changes: how long the change waits until the readers have returned what they
// were promised.

import type { Claret } from '@claret/client';
import type { DriverTotals } from './question.ts';
import type { Workload } from './workload.ts';

const KEY = 'delay:record';
const READ_PAUSE_MS = 1;
const WRITE_PAUSE_MS = 50;

export class DelayWorkload implements Workload {
  readonly #claret: Claret;
  #added = 0;

  constructor(claret: Claret) {
    this.#claret = claret;
  }

  pauseMs(way: string): number {
    return way === 'reads' ? READ_PAUSE_MS : WRITE_PAUSE_MS;
  }

  load(): Promise<void> {
    return this.#claret.transaction('Load', (tx) => void tx.counter(KEY).add(0));
  }

  async run(way: string): Promise<boolean> {
    if (way === 'reads') {
      await this.#claret.transaction('Read', (tx) => tx.counter(KEY).value());
      return false;
    }
    await this.#claret.transaction('Add', (tx) => void tx.counter(KEY).add(1));
    this.#added++;
    return true;
  }

  get totals(): DriverTotals {
    return { [KEY]: this.#added };
  }

  async mismatches({ [KEY]: expected }: DriverTotals): Promise<string[]> {
    const [value] = await this.#claret.transact('Check', [this.#claret.on.counter(KEY).value()]);
    return value === expected ? [] : [`${KEY} is ${value}, but ${expected} were acknowledged`];
  }
}
