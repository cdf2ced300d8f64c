// The laboratory: runs spikes against the own cluster, one at a time, each by a driver process. What is told of the last one
// is kept.
import { randomInt } from 'node:crypto';
import { ERRORS, GatewayError } from '../errors.ts';
import { Driver } from './driver.ts';
import { SPIKES } from './spike.ts';
import type { SpikeLine, SpikeRun, SpikeWish } from './spike.ts';

const SEED_MAX = 2 ** 32 - 1;

export interface LaboratoryOptions {
  /** the program that runs a spike; empty: there is no laboratory here */
  program: string;
  /** gRPC of all gateways */
  addresses: string[];
  /** the cluster's, empty for none */
  token: string;
  /** a spike's load has begun, or has ended */
  onMark(what: { spike: 'began' | 'ended'; name: string }): void;
}

export interface Overview {
  /** what can be run */
  spikes: (typeof SPIKES)[number][];
  running: SpikeRun | null;
  /** the one before: `line` is the last that its driver has said */
  last: SpikeRun | null;
}

export class Laboratory {
  private readonly options: LaboratoryOptions;
  private driver: Driver | null = null;
  private running: SpikeRun | null = null;
  private last: SpikeRun | null = null;
  /** the load of the one that is running has begun */
  private isMarked = false;
  private isClosed = false;

  constructor(options: LaboratoryOptions) {
    this.options = options;
  }

  overview(): Overview {
    this.refuseWhereNone();
    return { spikes: [...SPIKES], running: this.running, last: this.last };
  }

  /** Throws laboratory_closed, closing, spike_running, invalid_request. */
  start(wish: SpikeWish): SpikeRun {
    this.refuseWhereNone();
    if (this.isClosed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (this.running !== null) throw new GatewayError('spike_running', `A spike, ${this.running.spike}, is running here.`);
    if (wish.spike !== 'rawmix' && (wish.alpha !== undefined || wish.update !== undefined)) {
      throw new GatewayError('invalid_request', 'body: alpha and update are for rawmix only');
    }
    const run: SpikeRun = { ...wish, seed: randomInt(SEED_MAX), began_at_ms: Date.now(), line: null };
    this.running = run;
    this.driver = new Driver(this.options.program, this.flagsOf(run), this.options.token, run.seconds, {
      onLine: (line) => this.take(run, line),
      onEnd: (message) => this.end(run, message),
    });
    return run;
  }

  /** Resolves when none is running any more. Throws laboratory_closed. */
  async stop(): Promise<void> {
    this.refuseWhereNone();
    await this.driver?.stop();
  }

  /** Kills what is running, and starts nothing any more. Resolves when it is gone. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.driver?.kill();
  }

  private refuseWhereNone(): void {
    if (this.options.program === '') throw new GatewayError('laboratory_closed', ERRORS.laboratory_closed.meaning);
  }

  private flagsOf({ spike, seconds, clients, alpha, update, seed }: SpikeRun): string[] {
    const values = { addresses: this.options.addresses.join(','), spike, seconds, clients, alpha, update, seed };
    return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  }

  private take(run: SpikeRun, line: SpikeLine): void {
    run.line = line;
    if (line.state !== 'running' || this.isMarked) return;
    this.isMarked = true;
    this.options.onMark({ spike: 'began', name: run.spike });
  }

  private end(run: SpikeRun, message: string | null): void {
    if (message !== null) run.line = { ...run.line, state: 'failed', message };
    if (this.isMarked) this.options.onMark({ spike: 'ended', name: run.spike });
    this.isMarked = false;
    this.driver = null;
    this.running = null;
    this.last = run;
  }
}
