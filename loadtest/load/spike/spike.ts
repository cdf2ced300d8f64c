// Load spikes: the load of many clients on a running cluster for a while. A spike prepares its data, then runs one transaction
// after the other for each of its clients, and at the end compares the store with what was acknowledged.

import type { Claret } from '@claret/client';

export interface SpikeOptions {
  /** how long it will run */
  seconds: number;
  /** transactions under way at once */
  clients: number;
  /** of the zipfian distribution; rawmix only */
  alpha: number;
  /** share of writing operations; rawmix only */
  update: number;
  random: () => number;
}

/** Where visitors of a site see it. */
export interface Place {
  site: 'auctions' | 'timelines';
  path: string;
  title: string;
}

export interface Spike {
  /** null: on no site */
  readonly place: Place | null;
  /** Runs one transaction. Rejects with `ClaretError`. */
  run(claret: Claret): Promise<void>;
  /** Where what is stored differs from what was acknowledged; once all that was begun has ended. */
  mismatches(claret: Claret): Promise<string[]>;
  /** Takes away what nobody should find later. After `mismatches`. */
  clearUp(claret: Claret): Promise<void>;
}

export type MakeSpike = (claret: Claret, options: SpikeOptions) => Promise<Spike>;
