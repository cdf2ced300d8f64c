// The traces at the end of a run: all of them in a full run, two short ones in a quick one.

import type { Row } from './raw.ts';
import type { Settings } from './settings.ts';
import { FULL } from './targets.ts';
import { TRACE_DEFAULTS, type TraceOptions } from './trace.ts';

const QUICK = { conditions: ['rw+phasing', FULL], seconds: 10, warm_seconds: 1 };
/** For starting and loading the cluster. */
const LOAD_SECONDS = 5;

/** Null: all traces exist. */
export function tracePlan(settings: Settings, rows: readonly Row[]): TraceOptions | null {
  if (!settings.points.some(({ workload, name }) => workload === 'rubis' && name === 'bid-heavy')) return null;
  const options = { ...TRACE_DEFAULTS, ...(settings.quick ? QUICK : {}) };
  const there = new Set(rows.flatMap((row) => (row.kind === 'trace' ? [row.condition] : [])));
  const conditions = options.conditions.filter((condition) => settings.conditions.includes(condition) && !there.has(condition));
  return conditions.length === 0
    ? null
    : { ...options, conditions, items: settings.rubisItems, seed: settings.seed, poll_us: settings.poll };
}

export function traceSeconds(plan: TraceOptions | null): number {
  return plan === null ? 0 : LOAD_SECONDS + plan.rounds * plan.conditions.length * (plan.warm_seconds + plan.seconds);
}
