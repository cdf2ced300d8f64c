// The laboratory: runs load spikes against its own cluster, one at a time, each in a driver process. The result of the last spike is kept; so is, over
// this gateway's death, that one was running. The laboratory also has the process of a shard killed, where a launcher starts it again.
import { randomInt } from 'node:crypto';
import type { Config } from '../config.ts';
import { ERRORS, GatewayError } from '../errors.ts';
import { BorrowedConditions } from './borrowed-conditions.ts';
import type { Switchable } from './borrowed-conditions.ts';
import { Driver } from './driver.ts';
import { SPIKES } from './spike.ts';
import { RunningNote } from './running-note.ts';
import type { SpikeLine, SpikeRequest, SpikeRun } from './spike.ts';
import type { Conditions } from '@claret/core';

const SEED_MAX = 2 ** 32 - 1;

/**
 * `spikeDriver`: the program that runs a spike; empty: this gateway has no laboratory. `killSwitch`: empty: no process of a shard can be killed.
 * With durability none, it is not noted over a death that a spike was running.
 */
export type LaboratoryConfig = Pick<Config, 'spikeDriver' | 'token' | 'siteUrls' | 'killSwitch' | 'durability' | 'dataDir'>;

export interface LaboratoryOptions {
  config: LaboratoryConfig;
  /** gRPC addresses of the shards at present */
  addresses: () => string[];
  /** of the cluster */
  conditions: Switchable;
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
  /** the process of a shard can be killed here */
  kills: boolean;
}

export class Laboratory {
  private readonly options: LaboratoryOptions;
  private driver: Driver | null = null;
  private running: SpikeRun | null = null;
  private last: SpikeRun | null = null;
  /** the mark of the running spike's begin has been made, but not that of its end */
  private isMarked = false;
  private isClosed = false;
  /** null: the running spike has set none */
  private borrowed: BorrowedConditions | null = null;
  /** the stages of the running spike that are yet to come */
  private stages: NodeJS.Timeout[] = [];

  private readonly note: RunningNote | null;

  constructor(options: LaboratoryOptions) {
    this.options = options;
    const { durability, dataDir } = options.config;
    this.note = durability === 'none' ? null : new RunningNote(dataDir);
    this.last = this.note?.takeCutOff() ?? null;
  }

  overview(): Overview {
    this.refuseWhereNone();
    return {
      spikes: [...SPIKES],
      running: this.running,
      last: this.last,
      sites: sitesIn(this.options.config.siteUrls),
      kills: this.killSwitch !== '',
    };
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
    this.note?.write(run);
    this.driver = new Driver(this.options.config.spikeDriver, this.flagsOf(run), this.options.config.token, run.seconds, {
      onLine: (line) => this.take(run, line),
      onEnd: (message) => this.end(run, message),
    });
    return run;
  }

  /**
   * Switches the cluster while a spike runs: its stages end, and at its end the cluster gets the conditions from before it.
   * Throws laboratory_closed, no_spike; shard_unavailable, conditions_partial.
   */
  async switchTo(conditions: Conditions): Promise<SpikeRun> {
    this.refuseWhereNone();
    const run = this.running;
    if (run === null) throw new GatewayError('no_spike', ERRORS.no_spike.meaning);
    this.endStages();
    await this.switchConditions(conditions);
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
      await this.switchConditions(conditions);
      if (!this.isClosed) return;
      throw new GatewayError('closing', ERRORS.closing.meaning);
    } catch (error) {
      await this.giveBack();
      this.running = null;
      throw error;
    }
  }

  private async switchConditions(conditions: Conditions): Promise<void> {
    this.borrowed ??= new BorrowedConditions(this.options.conditions);
    await this.borrowed.switchTo(conditions);
  }

  /** If a shard cannot be reached, the cluster is not switched back; the dashboard then shows that and offers to do it. */
  private async giveBack(): Promise<void> {
    const { borrowed } = this;
    this.borrowed = null;
    await borrowed?.giveBack().catch(() => {});
  }

  /** From the begin of the load on. Once somebody else has switched the cluster, no stage does. */
  private beginStages({ stages = [] }: SpikeRun): void {
    if (stages.length === 0) return;
    const borrowed = (this.borrowed ??= new BorrowedConditions(this.options.conditions));
    // A shard that was not reached follows, or the stage is left out.
    const begin = (conditions: Conditions) => void borrowed.switchOn(conditions).catch(() => {});
    this.stages = stages.map(({ after_s, conditions }) => setTimeout(() => begin(conditions), 1000 * after_s));
  }

  private endStages(): void {
    for (const stage of this.stages) clearTimeout(stage);
    this.stages = [];
  }

  private get killSwitch(): string {
    return this.options.config.killSwitch;
  }

  /** The process that serves the shard is killed in a moment, and started again. Throws laboratory_closed, kill_refused. */
  async kill(shard: number): Promise<void> {
    this.refuseWhereNone();
    if (this.killSwitch === '') throw new GatewayError('kill_refused', 'No launcher would start the process of the shard again.');
    const answer = await fetch(this.killSwitch, { method: 'POST', body: JSON.stringify({ shard }) }).catch(() => null);
    if (answer?.status === 204) return;
    if (answer?.status === 409) throw new GatewayError('kill_refused', 'A process was killed a moment ago. Wait until it is back.');
    throw new GatewayError('kill_refused', answer === null ? 'The launcher does not answer.' : `There is no process of shard ${shard}.`);
  }

  private refuseWhereNone(): void {
    if (this.options.config.spikeDriver === '') throw new GatewayError('laboratory_closed', ERRORS.laboratory_closed.meaning);
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
    if (isUnderLoad) this.beginStages(run);
    else this.endStages();
    this.options.onMark({ spike: isUnderLoad ? 'began' : 'ended', name: run.spike });
  }

  private async end(run: SpikeRun, message: string | null): Promise<void> {
    if (message !== null) run.line = { ...run.line, state: 'failed', message };
    this.mark(run, false);
    await this.giveBack();
    this.driver = null;
    this.running = null;
    this.last = run;
    this.note?.remove();
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
