// FarCluster: a cluster in this process at which each frame between client and shards takes the same time, on a clock of its own that runs as
// fast as the processor allows. The time that something takes is then its number of round trips, on any machine. It also counts the frames.

import type { Claret } from '../claret.ts';
import type { Transport } from '../transport/transport.ts';
import { inProcessCluster, type InProcessCluster } from './in-process-cluster.ts';
import { SteppedEnvironment } from './stepped-environment.ts';

const WAY_MS = 4;
/** A millisecond passes in so many turns of the event loop. So what a process computes between two frames takes hardly any time. */
const TURNS_PER_MS = 100;
/** The clock goes on in steps of this length. */
const STEP_MS = 0.1;
const TURNS_PER_STEP = TURNS_PER_MS * STEP_MS;
/** It is no further ahead of this process's own clock, by which callers may set deadlines. */
const AHEAD_MS_MAX = 500;
/** Without a frame for so long, nothing is under way any more. Longer than a client keeps what may wait for company. */
const AT_REST_MS = 10 * WAY_MS;

export interface Measured<Value> {
  value: Value;
  /** until the value was there */
  roundTrips: number;
  /** both ways, until nothing was under way any more */
  frames: number;
}

/** Begins with the time of this process, of the calendar and of the clock. */
class WoundEnvironment extends SteppedEnvironment {
  readonly #aheadMs: number;

  constructor() {
    super();
    this.pass(performance.now() - this.monotonicMs());
    this.#aheadMs = Date.now() - this.monotonicMs();
  }

  override wallMs = (): number => this.#aheadMs + this.monotonicMs();

  get mayPass(): boolean {
    return this.monotonicMs() - performance.now() < AHEAD_MS_MAX;
  }
}

export class FarCluster {
  readonly cluster: InProcessCluster;
  readonly claret: Claret;
  readonly #environment: WoundEnvironment;
  readonly #network: Network;
  #turns = 0;
  #stopped = false;

  private constructor(environment: WoundEnvironment, network: Network, cluster: InProcessCluster, claret: Claret) {
    this.#environment = environment;
    this.#network = network;
    this.cluster = cluster;
    this.claret = claret;
    this.#wind();
  }

  static async start(shards: number): Promise<FarCluster> {
    const environment = new WoundEnvironment();
    const network = new Network(environment);
    const cluster = await inProcessCluster({ shards, environment });
    const claret = await cluster.connect({ transport: network.far(cluster.transport) });
    return new FarCluster(environment, network, cluster, claret);
  }

  /** REQUIRES: nothing else is under way. */
  async measure<Value>(work: () => Promise<Value>): Promise<Measured<Value>> {
    await this.#atRest();
    const [beganMs, before] = [this.#environment.monotonicMs(), this.#network.frames];
    const value = await work();
    const tookMs = this.#environment.monotonicMs() - beganMs;
    await this.#atRest();
    return { value, roundTrips: Math.round(tookMs / (2 * WAY_MS)), frames: this.#network.frames - before };
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    this.#stopped = true;
  }

  #wind(): void {
    if (this.#stopped) return;
    if (++this.#turns % TURNS_PER_STEP === 0 && this.#environment.mayPass) this.#environment.pass(STEP_MS);
    setImmediate(() => this.#wind());
  }

  async #atRest(): Promise<void> {
    const isLate = () => this.#environment.monotonicMs() - this.#network.lastMs >= AT_REST_MS;
    while (!isLate()) await new Promise((resolve) => setImmediate(resolve));
  }
}

class Network {
  frames = 0;
  /** when the last frame was sent or has arrived */
  lastMs = 0;
  readonly #environment: SteppedEnvironment;

  constructor(environment: SteppedEnvironment) {
    this.#environment = environment;
  }

  far(near: Transport): Transport {
    return {
      open: (address, handlers) => {
        const link = near.open(address, {
          onFrame: (bytes) => this.#send(() => handlers.onFrame(bytes)),
          onClose: (error) => handlers.onClose(error),
        });
        return {
          send: (bytes) => {
            const copy = bytes.slice();
            this.#send(() => void link.send(copy));
            return true;
          },
          close: () => link.close(),
        };
      },
      topology: (address) => near.topology(address),
      close: () => near.close(),
    };
  }

  #send(deliver: () => void): void {
    this.frames++;
    this.lastMs = this.#environment.monotonicMs();
    this.#environment.setTimeout(() => {
      this.lastMs = this.#environment.monotonicMs();
      deliver();
    }, WAY_MS);
  }
}
