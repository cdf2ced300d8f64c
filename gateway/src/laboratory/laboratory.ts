// The laboratory: runs load spikes against its own cluster, one at a time, each in a driver process. The result of the last spike is kept.
import { randomInt } from 'node:crypto';
import { ERRORS, GatewayError } from '../errors.ts';
import { borrowConditions } from './borrowed-conditions.ts';
import type { Switchable } from './borrowed-conditions.ts';
import { Driver } from './driver.ts';
import { SPIKES } from './spike.ts';
import type { SpikeLine, SpikeRequest, SpikeRun } from './spike.ts';
import type { Conditions } from '@claret/core';

const SEED_MAX = 2 ** 32 - 1;

export interface LaboratoryOptions {
  /** the program that runs a spike; empty: this gateway has no laboratory */
  program: string;
  /** gRPC addresses of the shards at present */
  addresses: () => string[];
  /** the cluster's token, empty for none */
  token: string;
  /** of the cluster */
  conditions: Switchable;
  /** public URLs of the sites: NAME=URL,…; none by default */
  siteUrls?: string;
  /** called when the load of a spike begins and ends */
  onMark(what: { spike: 'began' | 'ended'; name: string }): void;
}

export interface Overview {
  /** the available spikes */
  spikes: (typeof SPIKES)[number][];
  running: SpikeRun | null;
  /** the previous spike; `line` is the last line of its driver */
  last: SpikeRun | null;
  /** public URLs of the sites by name, as configured */
  sites: Record<string, string>;
}

export class Laboratory {
  private readonly options: LaboratoryOptions;
  private driver: Driver | null = null;
  private running: SpikeRun | null = null;
  private last: SpikeRun | null = null;
  /** the mark of the running spike's begin has been made, but not that of its end */
  private isMarked = false;
  private isClosed = false;
  /** restores the conditions from before the running spike */
  private restoreConditions: () => Promise<void> = async () => {};

  constructor(options: LaboratoryOptions) {
    this.options = options;
  }

  overview(): Overview {
    this.refuseWhereNone();
    return { spikes: [...SPIKES], running: this.running, last: this.last, sites: sitesIn(this.options.siteUrls ?? '') };
  }

  /** Throws laboratory_closed, closing, spike_running, invalid_request; shard_unavailable, conditions_partial. */
  async start(request: SpikeRequest): Promise<SpikeRun> {
    this.refuseWhereNone();
    if (this.isClosed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (this.running !== null) throw new GatewayError('spike_running', `A spike, ${this.running.spike}, is running here.`);
    if (request.spike !== 'rawmix' && (request.alpha !== undefined || request.update !== undefined)) {
      throw new GatewayError('invalid_request', 'body: alpha and update are for rawmix only');
    }
    const run: SpikeRun = { ...request, seed: randomInt(SEED_MAX), began_at_ms: Date.now(), line: null };
    this.running = run;
    if (request.conditions !== undefined) await this.borrow(request.conditions);
    this.driver = new Driver(this.options.program, this.flagsOf(run), this.options.token, run.seconds, {
      onLine: (line) => this.take(run, line),
      onEnd: (message) => this.end(run, message),
    });
    return run;
  }

  /** Resolves when no spike is running. Throws laboratory_closed. */
  async stop(): Promise<void> {
    this.refuseWhereNone();
    await this.driver?.stop();
  }

  /** Kills the running driver and refuses further spikes. Resolves when the driver has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.driver?.kill();
  }

  private async borrow(conditions: Conditions): Promise<void> {
    try {
      this.restoreConditions = await borrowConditions(this.options.conditions, conditions);
      if (!this.isClosed) return;
      await this.giveBack();
      throw new GatewayError('closing', ERRORS.closing.meaning);
    } catch (error) {
      this.running = null;
      throw error;
    }
  }

  /** If a shard cannot be reached, the cluster is not switched back; the dashboard then shows that and offers to do it. */
  private async giveBack(): Promise<void> {
    const { restoreConditions } = this;
    this.restoreConditions = async () => {};
    await restoreConditions().catch(() => {});
  }

  private refuseWhereNone(): void {
    if (this.options.program === '') throw new GatewayError('laboratory_closed', ERRORS.laboratory_closed.meaning);
  }

  private flagsOf({ spike, seconds, clients, alpha, update, seed }: SpikeRun): string[] {
    const values = { addresses: this.options.addresses().join(','), spike, seconds, clients, alpha, update, seed };
    return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  }

  private take(run: SpikeRun, line: SpikeLine): void {
    run.line = line;
    this.mark(run, line.state === 'running');
  }

  /** Marks the begin and the end of the load; the check that follows is not part of it. */
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
      .filter((site) => site !== '')
      .map((site) => {
        const [name, url] = [site.slice(0, site.indexOf('=')), site.slice(site.indexOf('=') + 1)];
        return [name, url.replace(/\/$/, '')];
      }),
  );
}
