// What a fault plan is: one file in plans/ that says how bad the weather is and how often what goes wrong. To add one,
// write the file and its line in plans/index.ts; a new kind of fault is a line in faults.ts.
import type { FaultName } from './faults.ts';
import type { Weather } from './network.ts';

export interface Plan {
  readonly name: string;
  readonly weather: Partial<Weather>;
  /** mean time between two of a kind, simulated ms */
  readonly everyMs: Partial<Record<FaultName, number>>;
}
