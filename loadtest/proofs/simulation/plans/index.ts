// Every fault plan.
import type { Plan } from '../plan.ts';
import { beyond } from './beyond.ts';
import { breaks } from './breaks.ts';
import { calm } from './calm.ts';
import { clocks } from './clocks.ts';
import { crashes } from './crashes.ts';
import { deaths } from './deaths.ts';
import { disks } from './disks.ts';
import { doubts } from './doubts.ts';
import { everything } from './everything.ts';
import { frozenTurn } from './frozen-turn.ts';
import { leases } from './leases.ts';
import { moves } from './moves.ts';
import { movesTakeover } from './moves-takeover.ts';
import { sequencer } from './sequencer.ts';
import { silent } from './silent.ts';
import { slowShard } from './slow-shard.ts';
import { takeover } from './takeover.ts';
import { weather } from './weather.ts';

/** A seed draws one of them. No run violates anything. */
export const PLANS: readonly Plan[] = [
  breaks,
  calm,
  clocks,
  crashes,
  deaths,
  disks,
  everything,
  weather,
  silent,
  slowShard,
  sequencer,
  frozenTurn,
  takeover,
  moves,
  movesTakeover,
  leases,
  doubts,
];

/** In their runs something that is taken for granted does not hold, and the checks have to notice. */
export const WRONG_PLANS: readonly Plan[] = [beyond];

export const ALL_PLANS: readonly Plan[] = [...PLANS, ...WRONG_PLANS];
