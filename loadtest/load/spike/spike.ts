// Load spikes: the load of many clients on a running cluster for some time. A spike prepares its data, then runs transactions one
// by one for each client, and finally compares the store with the acknowledged transactions.

import type { Claret } from '@claret/client';

export interface SpikeOptions {
  /** duration */
  seconds: number;
  /** transactions in flight at once */
  clients: number;
  /** skew of the Zipf distribution; rawmix only */
  alpha: number;
  /** share of writing operations; rawmix only */
  update: number;
  random: () => number;
}

/** The page of a site that shows the spike. */
export interface SitePage {
  site: 'auctions' | 'timelines';
  path: string;
  title: string;
}

export interface Spike {
  /** null: no page shows it */
  readonly page: SitePage | null;
  /** Runs one transaction. Rejects with `ClaretError`. */
  run(claret: Claret): Promise<void>;
  /** Differences between stored and acknowledged data. Call after all begun transactions have ended. */
  mismatches(claret: Claret): Promise<string[]>;
  /** Removes temporary data. Call after `mismatches`. */
  clearUp(claret: Claret): Promise<void>;
}

export type MakeSpike = (claret: Claret, options: SpikeOptions) => Promise<Spike>;
