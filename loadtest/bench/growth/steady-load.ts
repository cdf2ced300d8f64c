// A steady load for measuring memory: transactions on a fixed number of records of every kind, with bounded members, so that the
// stored data has a constant size. Clients send at a fixed rate; a share of the transactions have an id, whose response is then
// kept.

import { connect, type Claret, type Description } from '@claret/client';
import { randomFrom } from '../../kit/random.ts';
import type { Load, StartLoad } from './load.ts';

export interface SteadyLoadOptions {
  clients: number;
  /** of all clients together; an overloaded run sends fewer */
  transactionsPerSecond: number;
  records: number;
  /** share of transactions with an id, 0 to 1 */
  idShare: number;
  /** how long the response of a transaction with an id is kept */
  keepMs: number;
  seed: number;
}

const MEMBERS = 50;
const OPERATIONS = 4;

export const steadyLoad =
  (options: SteadyLoadOptions): StartLoad =>
  async ({ gateways }) => {
    const addresses = gateways.map(({ grpc }) => grpc);
    return new SteadyLoad(options, await Promise.all(Array.from({ length: options.clients }, () => connect({ addresses }))));
  };

class SteadyLoad implements Load {
  readonly unit = 'committed';
  readonly about: string;
  readonly ended: Promise<void>;
  done = 0;
  readonly #options: SteadyLoadOptions;
  readonly #clients: Claret[];
  readonly #random: () => number;
  #over = false;

  constructor(options: SteadyLoadOptions, clients: Claret[]) {
    const { transactionsPerSecond, records, idShare, keepMs } = options;
    this.about = `${transactionsPerSecond} transactions/s on ${records} records, ${idShare} of them with an id whose answer is kept ${keepMs / 1000} s`;
    this.#options = options;
    this.#clients = clients;
    this.#random = randomFrom(options.seed);
    this.ended = Promise.all(clients.map((client) => this.#loop(client))).then(() => {});
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.ended;
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #loop(client: Claret): Promise<void> {
    const { clients, transactionsPerSecond, idShare, keepMs } = this.#options;
    const paceMs = (1000 * clients) / transactionsPerSecond;
    for (let dueMs = performance.now(); !this.#over; dueMs = Math.max(dueMs + paceMs, performance.now() - 1000)) {
      const aheadMs = dueMs - performance.now();
      if (aheadMs > 1) await new Promise((resolve) => setTimeout(resolve, aheadMs));
      const operations = Array.from({ length: OPERATIONS }, () => this.#draw(client));
      const id = this.#random() < idShare ? { id: client.transactionId(), keepMs } : {};
      await client.transact('Steady', operations, id);
      this.done++;
    }
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #draw({ on }: Claret): Description<unknown> {
    const record = this.#below(this.#options.records);
    const key = `steady:${record}`;
    const member = `member-${this.#below(MEMBERS)}`;
    const value = this.#below(1_000_000);
    const [reads, removes] = [this.#random() < 0.5, this.#random() < 0.5];
    switch (record % 6) {
      case 0:
        return reads ? on.set(key).size() : removes ? on.set(key).remove(member) : on.set(key).add(member);
      case 1:
        return reads ? on.counter(key).value() : on.counter(key).add(1);
      case 2:
        return reads ? on.dict(key).get(member) : on.dict(key).set({ [member]: value });
      case 3:
        return reads ? on.topK(key).top(10) : on.topK(key).add(member, value);
      case 4:
        return reads ? on.scoredSet(key).size() : on.scoredSet(key).add(member, value);
      default:
        return reads ? on.register(key).get() : on.register(key).set(`value ${value}`);
    }
  }
}
