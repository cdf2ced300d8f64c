// What drivers and gateways have counted of epochs. A run in which hardly any list was a member of one would prove nothing about them.

import { MANAGER, type Harm } from './harm.ts';
import type { EpochsTold } from './ledger.ts';
import { metricsOf } from './metrics.ts';
import type { Store } from './store.ts';

export class EpochUse {
  /** blows to the gateway of the manager */
  struck = 0;
  readonly #drivers = new Map<number, EpochsTold>();
  /** by process, since a gateway that has started again counts from 0 */
  readonly #processes = new Map<number, { members: number; calledOff: number }>();

  take(told: EpochsTold): void {
    this.#drivers.set(told.process, told);
  }

  note(harms: readonly Harm[]): void {
    this.struck += harms.filter(({ whom }) => whom === MANAGER).reduce((sum, { blows }) => sum + blows.length, 0);
  }

  /** To be called at the end of each round. REQUIRES: all gateways run. */
  async look(store: Store): Promise<void> {
    for (const { actor, rest } of await store.serving()) {
      const count = await metricsOf(rest);
      this.#processes.set(actor.pid!, { members: count('claret_epoch_members_total'), calledOff: count('claret_epochs_called_off_total') });
    }
  }

  get commits(): number {
    return [...this.#drivers.values()].reduce((sum, { commits }) => sum + commits, 0);
  }

  get missed(): number {
    return [...this.#drivers.values()].reduce((sum, { missed }) => sum + missed, 0);
  }

  /** A member counts at each of its shards. What a killed gateway had counted in its last round is not known. */
  get members(): number {
    return this.#sum('members');
  }

  get calledOff(): number {
    return this.#sum('calledOff');
  }

  #sum(what: 'members' | 'calledOff'): number {
    return [...this.#processes.values()].reduce((sum, counted) => sum + counted[what], 0);
  }
}
