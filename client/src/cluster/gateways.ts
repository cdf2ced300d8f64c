// Gateways: asks the gateways of a cluster for the topology, all at once. A gateway that stands still answers late or never, so nobody waits
// for it while another one answers, and it is not asked again before its answer has come or failed.

import { Topology } from '../topology/topology.ts';
import type { Transport } from '../transport/transport.ts';

export class Gateways {
  readonly #transport: Transport;
  readonly #take: (topology: Topology) => boolean;
  /** the questions that are open, by address; one is rejected if its answer is of no use */
  readonly #asked = new Map<string, Promise<void>>();

  /** @param take called with each answer as it comes; false: it is out of date */
  constructor(transport: Transport, take: (topology: Topology) => boolean) {
    this.#transport = transport;
    this.#take = take;
  }

  /** Resolves with the first answer that is not out of date, or when there will be none. Never rejects. */
  async ask(addresses: Iterable<string>): Promise<void> {
    await Promise.any(this.#questions(addresses)).catch(() => {});
  }

  /** Resolves when all have answered, or will not. Never rejects. */
  async askAll(addresses: Iterable<string>): Promise<void> {
    await Promise.allSettled(this.#questions(addresses));
  }

  #questions(addresses: Iterable<string>): Promise<void>[] {
    return [...new Set(addresses)].map((address) => this.#asked.get(address) ?? this.#question(address));
  }

  #question(address: string): Promise<void> {
    const question = this.#answer(address).finally(() => this.#asked.delete(address));
    this.#asked.set(address, question);
    return question;
  }

  async #answer(address: string): Promise<void> {
    const topology = new Topology(await this.#transport.topology(address));
    if (!this.#take(topology)) throw new Error(`the topology of ${address} is out of date`);
  }
}
