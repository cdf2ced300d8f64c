// Spikes as the gateway tells of them (GET /v1/admin/spikes), and what can be asked of it.
import type { Conditions } from '../../../telemetry/frame.ts';
import { ask } from '../door/door.ts';

/** What the driver says, once a second while it runs. */
export interface SpikeLine {
  /** checking: the load is over, and what is stored is compared with what was acknowledged */
  state: 'preparing' | 'running' | 'checking' | 'ended' | 'failed';
  /** where visitors of a site see it; null: on no site */
  place?: { site: string; path: string; title: string } | null;
  done_s?: number | null;
  of_s?: number | null;
  /** of the last second; of all, once it has ended */
  committed_per_s?: number | null;
  retries_per_commit?: number | null;
  /** where what is stored differs from what was acknowledged; once it has ended */
  mismatches?: string[];
  /** before its time */
  stopped?: boolean;
  /** why it failed */
  message?: string;
}

export interface SpikeRun {
  spike: string;
  seconds: number;
  clients: number;
  /** it runs under these; then the earlier ones are put back */
  conditions?: Conditions;
  line: SpikeLine | null;
}

export interface Spikes {
  spikes: string[];
  running: SpikeRun | null;
  last: SpikeRun | null;
  /** where people reach the sites, as far as the gateway knows */
  sites?: Record<string, string>;
}

export interface SpikeWish {
  spike: string;
  seconds: number;
  clients: number;
  /** of the zipfian distribution; rawmix only */
  alpha?: number;
  /** share of writing operations; rawmix only */
  update?: number;
  /** the cluster gets these for as long as it runs */
  conditions?: Conditions;
}

const PATH = '/v1/admin/spikes';

export const readSpikes = () => ask<Spikes>('GET', PATH);
export const startSpike = (wish: SpikeWish) => ask<unknown>('POST', PATH, wish);
export const stopSpike = () => ask<unknown>('DELETE', PATH);
