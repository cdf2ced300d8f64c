// Worker: runs one transaction of the workload after the other, as a request handler of an app server would, now in a rush and
// now at leisure. Blames any error that is not a transaction's, and a transaction that takes longer than it may.
import { ClaretError } from '@claret/client';
import type { Claret } from '@claret/client';
import type { AppServer } from './app-server.ts';
import type { Chance } from '../../kit/random.ts';
import { calm } from './plans/calm.ts';
import type { Simulation } from './simulation.ts';
import { Deliberate } from '../workloads/workload.ts';

/** How long after its time a client may still ask for a transaction's outcome (client/API.md), and a little. */
const GRACE_MS = 3_100 + 500;
/** Where nothing goes wrong nothing waits for long: a deadlock would, for all of its time. */
const CALM_MS = 1_500;
const THINK_MS = [0.1, 5, 50];

export class Worker {
  /** when the transaction that runs began; null: none does */
  begunMs: number | null = null;
  ended = false;
  readonly #simulation: Simulation;
  readonly #appServer: AppServer;
  readonly #claret: Claret;
  readonly #chance: Chance;

  constructor(simulation: Simulation, appServer: AppServer, claret: Claret, chance: Chance) {
    this.#simulation = simulation;
    this.#appServer = appServer;
    this.#claret = claret;
    this.#chance = chance;
  }

  start(): void {
    void this.#work().finally(() => (this.ended = true));
  }

  async #work(): Promise<void> {
    const { node } = this.#appServer;
    while (!this.#simulation.closing) {
      if (this.#simulation.lull !== null) await this.#simulation.lull;
      await this.#one();
      const thinkMs = this.#chance.waiting(this.#chance.pick(THINK_MS));
      await new Promise<void>((resolve) => void node.setTimeout(resolve, thinkMs));
    }
  }

  async #one(): Promise<void> {
    const simulation = this.#simulation;
    const stalledMs = this.#appServer.stalledMs;
    this.begunMs = simulation.world.nowMs;
    try {
      await simulation.running.run(this.#claret, this.#chance);
      simulation.counts.committed++;
    } catch (error) {
      simulation.tally(error);
      if (!(error instanceof ClaretError || error instanceof Deliberate)) {
        simulation.blame('unexpected error', error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
    const tookMs = simulation.world.nowMs - this.begunMs;
    if (tookMs > simulation.longestMs) simulation.longestMs = tookMs;
    const mayEachMs = simulation.plan === calm ? CALM_MS : simulation.timeoutMs + GRACE_MS + this.#appServer.stalledMs - stalledMs;
    const mayMs = mayEachMs * (simulation.workload.inARow ?? 1);
    if (tookMs > mayMs) {
      simulation.blame('liveness', `a transaction of ${this.#appServer.node.name} took ${Math.round(tookMs)} ms, may take ${mayMs} ms`);
    }
    this.begunMs = null;
  }
}
