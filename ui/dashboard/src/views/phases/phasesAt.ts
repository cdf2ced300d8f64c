// A lane in a short time, such as that of one pixel: the phase, if there was only one, or a summary of several.

import type { RecordLane, ToldWarranty } from '../../store/telemetryStore.ts';
import { QUEUE_STANDS_MS } from './laneColumns.ts';

export interface ToldPhase {
  mode: number;
  began_ms: number;
  ended_ms: number;
  /** operations */
  letIn: number;
  capped: boolean;
}

export interface PhasesAt {
  count: number;
  /** the phase, if there was only one */
  only: ToldPhase | null;
  /** by mode: its share of the time, 0..1 */
  shares: Map<number, number>;
  letIn: number;
  capped: number;
  /** by mode: claims that waited at the end of the time */
  waiting: Map<number, number>;
  /** of the report or reports that cover the time; null: no native used the record */
  natives: NativesAt | null;
  /** those that touch the time */
  warranties: ToldWarranty[];
}

export interface NativesAt {
  from_ms: number;
  to_ms: number;
  executed: number;
  /** those that began to wait */
  waits: number;
  /** the transactions that they broke */
  breaks: number;
}

export function phasesAt(lane: RecordLane, from_ms: number, to_ms: number): PhasesAt {
  const at: PhasesAt = { count: 0, only: null, shares: new Map(), letIn: 0, capped: 0, waiting: new Map(), natives: null, warranties: [] };
  lane.phases({ from_ms, to_ms }, (mode, began_ms, ended_ms, letIn, capped) => {
    const lasted_ms = Math.min(to_ms, ended_ms) - Math.max(from_ms, began_ms);
    if (lasted_ms <= 0 && ended_ms > began_ms) return;
    at.only = at.count === 0 ? { mode, began_ms, ended_ms, letIn, capped } : null;
    at.count += 1;
    at.letIn += letIn;
    at.capped += capped ? 1 : 0;
    at.shares.set(mode, (at.shares.get(mode) ?? 0) + lasted_ms / (to_ms - from_ms));
  });
  lane.queues({ from_ms: to_ms - QUEUE_STANDS_MS, to_ms }, (_at_ms, mode, _holders, waiting) => {
    if (waiting > 0) at.waiting.set(mode, waiting);
    else at.waiting.delete(mode);
  });
  lane.natives({ from_ms, to_ms }, (began_ms, ended_ms, executed, waits, breaks) => {
    const before = at.natives ?? { from_ms: began_ms, to_ms: ended_ms, executed: 0, waits: 0, breaks: 0 };
    at.natives = {
      from_ms: before.from_ms,
      to_ms: ended_ms,
      executed: before.executed + executed,
      waits: before.waits + waits,
      breaks: before.breaks + breaks,
    };
  });
  lane.warranties({ from_ms, to_ms }, (warranty) => at.warranties.push(warranty));
  return at;
}
