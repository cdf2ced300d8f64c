// MovedNatives: natives that a shard has refused because it does not own their slot any more. They were not executed. They are sent to the new
// owner once the topology names it, and with them those that were issued later on the same records, so that these stay in order. Natives also
// wait here while the old owner has not answered an earlier one on their record.

import type { Environment } from '../environment/environment.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { unavailable, type Native } from './native.ts';

/** so often it is looked whether the earlier ones are answered */
const LOOK_MS = 5;

export class MovedNatives {
  readonly #environment: Environment;
  readonly #findNewer: () => Promise<void>;
  readonly #send: (native: Native) => void;
  readonly #isBehind: (native: Native) => boolean;
  /** in order of issue */
  #waiting: Native[] = [];
  readonly #keys = new Set<string>();
  #isFinding = false;
  #willLook = false;

  /**
   * @param findNewer looks for a newer topology, for a while
   * @param send sends the native to the owner of its record, as the topology says by then
   * @param isBehind whether another shard than that one has an earlier native on the record
   */
  constructor(
    environment: Environment,
    findNewer: () => Promise<void>,
    send: (native: Native) => void,
    isBehind: (native: Native) => boolean,
  ) {
    this.#environment = environment;
    this.#findNewer = findNewer;
    this.#send = send;
    this.#isBehind = isBehind;
  }

  /** An earlier native on that record waits here. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(native: Native): void {
    this.#insert(native);
    if (!this.#isFinding) void this.#find();
  }

  /** It waits for an earlier one that another shard has. */
  addBehind(native: Native): void {
    this.#insert(native);
    this.#sendLater();
  }

  #insert(native: Native): void {
    this.#keys.add(native.call.key);
    const later = this.#waiting.findIndex(({ issuedMs }) => issuedMs > native.issuedMs);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, native);
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

  async #find(): Promise<void> {
    this.#isFinding = true;
    await this.#findNewer();
    this.#isFinding = false;
    this.#sendAll();
  }

  #sendLater(): void {
    if (this.#isFinding || this.#willLook) return;
    this.#willLook = true;
    this.#environment.setTimeout(() => {
      this.#willLook = false;
      if (!this.#isFinding) this.#sendAll();
    }, LOOK_MS);
  }

  #sendAll(): void {
    const nowMs = this.#environment.monotonicMs();
    for (const native of this.#take()) {
      if (native.dueMs <= nowMs) native.reject(unavailable(native));
      else if (this.#isBehind(native)) this.#insert(native);
      else this.#send(native);
    }
    if (this.#waiting.length > 0) this.#sendLater();
  }
}
