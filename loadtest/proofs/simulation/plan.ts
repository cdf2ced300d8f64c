// A fault plan: one file in plans/ with the weather and the rates of faults. To add a plan, write the file and its line in
// plans/index.ts; a new kind of fault is a line in faults.ts.
import type { FaultName } from './faults.ts';
import type { Weather } from './network.ts';
import type { World } from './world.ts';

export interface Plan {
  readonly name: string;
  readonly weather: Partial<Weather>;
  /** mean time between two faults of a kind, simulated ms */
  readonly everyMs: Partial<Record<FaultName, number>>;
  /** how many there are at least */
  readonly least?: { readonly shards: number; readonly appServers: number };
  readonly shardsMax?: number;
  /** The shards' logs are replicated, and gateways take shards over. */
  readonly isReplicated?: true;
  /** Slots move between shards. */
  readonly movesSlots?: true;
  /** by what share the steady clock of a process is too fast (World); by default as much as warranties allow */
  readonly rateError?: World['rateError'];
}
