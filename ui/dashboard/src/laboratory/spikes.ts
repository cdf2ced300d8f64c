// Spikes as reported by the gateway (GET /v1/admin/spikes), and the requests to it.
import type { Conditions } from '@claret/client/telemetry';
import { ask } from '../api/gateway.ts';

/** The driver's report, once a second while it runs. */
export interface SpikeLine {
  /** checking: the load is over, and the stored data is compared with the acknowledged writes */
  state: 'preparing' | 'running' | 'checking' | 'ended' | 'failed';
  /** the page of a site that shows it to visitors; null: no site shows it */
  place?: { site: string; path: string; title: string } | null;
  done_s?: number | null;
  of_s?: number | null;
  /** over the last second; over the whole run, once it has ended */
  committed_per_s?: number | null;
  retries_per_commit?: number | null;
  /** what was counted, how many of it were acknowledged, and how many are stored, null: that cannot be read now */
  compared?: { what: string; acknowledged: number; stored: number | null } | null;
  /** differences between the stored data and the acknowledged writes; present once it has ended */
  mismatches?: string[];
  /** ended before its time */
  stopped?: boolean;
  /** why it failed */
  message?: string;
}

export interface SpikeRun {
  spike: string;
  seconds: number;
  clients: number;
  /** the conditions during the spike; afterwards the earlier ones are restored */
  conditions?: Conditions;
  stages?: SpikeWish['stages'];
  line: SpikeLine | null;
}

export interface Spikes {
  spikes: string[];
  running: SpikeRun | null;
  last: SpikeRun | null;
  /** public addresses of the sites, as far as the gateway knows them */
  sites?: Record<string, string>;
  /** the process of a shard can be killed: it is started again */
  kills?: boolean;
}

export interface SpikeWish {
  spike: string;
  seconds: number;
  clients: number;
  /** skew of the Zipf distribution; rawmix only */
  alpha?: number;
  /** share of writing operations; rawmix only */
  update?: number;
  /** the cluster's conditions while the spike runs */
  conditions?: Conditions;
  /** later switches, counted from the begin of the load */
  stages?: readonly { after_s: number; conditions: Conditions }[];
}

/** Slots that are to move: so many, from one shard to another. */
export interface SlotsWish {
  from: number;
  to: number;
  count: number;
}

const PATH = '/v1/admin/spikes';

export const readSpikes = () => ask<Spikes>('GET', PATH);
export const startSpike = (wish: SpikeWish) => ask<unknown>('POST', PATH, wish);
/** Switches the cluster until the running spike ends; its stages to come are left out. */
export const switchSpike = (conditions: Conditions) => ask<unknown>('PUT', `${PATH}/conditions`, conditions);
export const stopSpike = () => ask<unknown>('DELETE', PATH);
export const killShard = (shard: number) => ask<unknown>('POST', '/v1/admin/kills', { shard });
export const moveSlots = (wish: SlotsWish) => ask<unknown>('POST', '/v1/admin/moves', wish);
