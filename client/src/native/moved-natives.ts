// MovedNatives: natives that a shard has refused because it does not own their slot any more. They were not executed. They are sent to the new
// owner once the topology names it, and with them those that were issued later on the same records, so that these stay in order.

import type { Environment } from '../environment/environment.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { unavailable, type Native } from './native.ts';

export class MovedNatives {
  readonly #environment: Environment;
  readonly #findNewer: () => Promise<void>;
  readonly #send: (native: Native) => void;
  #waiting: Native[] = [];
  readonly #keys = new Set<string>();

  /**
   * @param findNewer looks for a newer topology, for a while
   * @param send sends the native to the owner of its record, as the topology says by then
   */
  constructor(environment: Environment, findNewer: () => Promise<void>, send: (native: Native) => void) {
    this.#environment = environment;
    this.#findNewer = findNewer;
    this.#send = send;
  }

  /** An earlier native on that record waits here. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(native: Native): void {
    this.#keys.add(native.call.key);
    if (this.#waiting.push(native) === 1) void this.#sendLater();
  }

  withdraw(native: Native, error: ClaretError): void {
    if (!this.#waiting.includes(native)) return;
    this.#waiting = this.#waiting.filter((one) => one !== native);
    native.reject(error);
  }

  close(error: ClaretError): void {
    for (const native of this.#take()) native.reject(error);
  }

  #take(): Native[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#keys.clear();
    return waiting;
  }

  async #sendLater(): Promise<void> {
    await this.#findNewer();
    const nowMs = this.#environment.monotonicMs();
    for (const native of this.#take()) {
      if (native.dueMs <= nowMs) native.reject(unavailable(native));
      else this.#send(native);
    }
  }
}
