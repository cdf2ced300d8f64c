// The laboratory: runs spikes against the own cluster, one at a time, each by a driver process. What is told of the last one
// is kept.
import { randomInt } from 'node:crypto';
import { ERRORS, GatewayError } from '../errors.ts';
import { borrowConditions } from './borrowed-conditions.ts';
import type { Switchable } from './borrowed-conditions.ts';
import { Driver } from './driver.ts';
import { SPIKES } from './spike.ts';
import type { SpikeLine, SpikeRun, SpikeWish } from './spike.ts';
import type { Conditions } from '@claret/core';

const SEED_MAX = 2 ** 32 - 1;

export interface LaboratoryOptions {
  /** the program that runs a spike; empty: there is no laboratory here */
  program: string;
  /** gRPC of all gateways */
  addresses: string[];
  /** the cluster's, empty for none */
  token: string;
  /** the cluster's */
  conditions: Switchable;
  /** where people reach the sites: NAME=URL,…; none by default */
  siteUrls?: string;
  /** a spike's load has begun, or has ended */
  onMark(what: { spike: 'began' | 'ended'; name: string }): void;
}

export interface Overview {
  /** what can be run */
  spikes: (typeof SPIKES)[number][];
  running: SpikeRun | null;
  /** the one before: `line` is the last that its driver has said */
  last: SpikeRun | null;
  /** where people reach the sites, by name; as far as this gateway was told */
  sites: Record<string, string>;
}

export class Laboratory {
  private readonly options: LaboratoryOptions;
  private driver: Driver | null = null;
  private running: SpikeRun | null = null;
  private last: SpikeRun | null = null;
  /** the load of the one that is running has begun */
  private isMarked = false;
  private isClosed = false;
  /** what a spike has borrowed */
  private putBack: () => Promise<void> = async () => {};

  constructor(options: LaboratoryOptions) {
    this.options = options;
  }

  overview(): Overview {
    this.refuseWhereNone();
    return { spikes: [...SPIKES], running: this.running, last: this.last, sites: sitesIn(this.options.siteUrls ?? '') };
  }

  /** Throws laboratory_closed, closing, spike_running, invalid_request; shard_unavailable, conditions_partial. */
  async start(wish: SpikeWish): Promise<SpikeRun> {
    this.refuseWhereNone();
    if (this.isClosed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (this.running !== null) throw new GatewayError('spike_running', `A spike, ${this.running.spike}, is running here.`);
    if (wish.spike !== 'rawmix' && (wish.alpha !== undefined || wish.update !== undefined)) {
      throw new GatewayError('invalid_request', 'body: alpha and update are for rawmix only');
    }
    const run: SpikeRun = { ...wish, seed: randomInt(SEED_MAX), began_at_ms: Date.now(), line: null };
    this.running = run;
    if (wish.conditions !== undefined) await this.borrow(wish.conditions);
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

  private async borrow(conditions: Conditions): Promise<void> {
    try {
      this.putBack = await borrowConditions(this.options.conditions, conditions);
      if (!this.isClosed) return;
      await this.giveBack();
      throw new GatewayError('closing', ERRORS.closing.meaning);
    } catch (error) {
      this.running = null;
      throw error;
    }
  }

  /** A shard that cannot be reached now keeps the whole cluster from being switched: the dashboard says so, and offers it. */
  private async giveBack(): Promise<void> {
    const { putBack } = this;
    this.putBack = async () => {};
    await putBack().catch(() => {});
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
    this.mark(run, line.state === 'running');
  }

  /** Marks stand where the load begins and ends: what comes after it, the check, is no load. */
  private mark(run: SpikeRun, isUnderLoad: boolean): void {
    if (isUnderLoad === this.isMarked) return;
    this.isMarked = isUnderLoad;
    this.options.onMark({ spike: isUnderLoad ? 'began' : 'ended', name: run.spike });
  }

  private async end(run: SpikeRun, message: string | null): Promise<void> {
    if (message !== null) run.line = { ...run.line, state: 'failed', message };
    this.mark(run, false);
    await this.giveBack();
    this.driver = null;
    this.running = null;
    this.last = run;
  }
}

function sitesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter((one) => one !== '')
      .map((one) => {
        const [name, url] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
        return [name, url.replace(/\/$/, '')];
      }),
  );
}
