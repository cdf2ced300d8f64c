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

/** What was acknowledged to a spike's clients, beside what is stored. */
export interface Compared {
  /** what was counted: "bids" */
  what: string;
  /** as clients know it before `stored` is read, so that less can only be stored if something is lost */
  acknowledged: number;
  /** visitors may have added to it; null: it cannot be read now */
  stored: number | null;
}

/** The comparison after the load. */
export interface Checked extends Compared {
  stored: number;
  /** differences in number or in value that nothing excuses */
  mismatches: string[];
}

export interface Spike {
  /** null: no page shows it */
  readonly page: SitePage | null;
  /** Runs one transaction. Rejects with `ClaretError`. */
  run(claret: Claret): Promise<void>;
  /** Counts while the spike runs. Absent: only the check does. */
  count?(claret: Claret): Promise<Compared>;
  /** Compares stored with acknowledged data. Call after all begun transactions have ended. */
  check(claret: Claret): Promise<Checked>;
  /** Removes temporary data. Call after `check`. */
  clearUp(claret: Claret): Promise<void>;
}

export type MakeSpike = (claret: Claret, options: SpikeOptions) => Promise<Spike>;
