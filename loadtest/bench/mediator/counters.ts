// The acknowledged adds, by counter, to which the stored values are compared after each cell.

import type { Claret } from '@claret/client';
import { readAll } from '../../kit/checking.ts';
import { RECORDS, valueOf, type Item } from './traffic.ts';

export class AcknowledgedAdds {
  readonly #adds = new Uint32Array(RECORDS);

  acknowledge({ addsTo }: Pick<Item, 'addsTo'>): void {
    for (const number of addsTo) this.#adds[number]!++;
  }

  /** Counters that hold another value than was acknowledged. Call after everything sent has been answered. */
  async mismatches(claret: Claret): Promise<string[]> {
    const values = await readAll(
      claret,
      Array.from(this.#adds, (_, number) => valueOf(number)),
    );
    return values.flatMap((value, number) => {
      const adds = this.#adds[number]!;
      return Number(value) === adds ? [] : [`counter ${number} holds ${value}, but ${adds} adds were acknowledged`];
    });
  }
}
