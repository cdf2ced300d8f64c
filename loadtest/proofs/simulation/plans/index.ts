// Every fault plan, by name.
import type { Plan } from '../plan.ts';
import { breaks } from './breaks.ts';
import { calm } from './calm.ts';
import { clocks } from './clocks.ts';
import { crashes } from './crashes.ts';
import { deaths } from './deaths.ts';
import { disks } from './disks.ts';
import { everything } from './everything.ts';
import { frozenTurn } from './frozen-turn.ts';
import { moves } from './moves.ts';
import { movesTakeover } from './moves-takeover.ts';
import { sequencer } from './sequencer.ts';
import { silent } from './silent.ts';
import { slowShard } from './slow-shard.ts';
import { takeover } from './takeover.ts';
import { weather } from './weather.ts';

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
];
