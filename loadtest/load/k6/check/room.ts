// A room of the check: one family of invariants, with its input.

import type { StormData } from '../storm.ts';
import type { Before } from './before.ts';
import type { Findings } from '../../../invariants/findings.ts';
import type { Writes } from './ledger.ts';
import type { Store } from '../../../kit/store.ts';

export interface Storm {
  data: StormData;
  before: Before;
  writes: Writes;
  store: Store;
  /** only the storm has written since the state before it was read */
  alone: boolean;
}

export type Room<Seen extends Storm = Storm> = (storm: Seen) => Promise<Findings>;
