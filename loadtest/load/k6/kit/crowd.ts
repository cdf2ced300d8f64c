// k6's options for a storm: the arrivals, the thresholds that make it a failure, and the work that k6 need not do.

import http from 'k6/http';
import type { Options, Scenario } from 'k6/options';
import { arrivalsOf, heightOf, type Curve } from './arrival.ts';
import { PATIENCE_S } from './visitor.ts';

/** Visitors of one kind. */
export interface Crowd {
  /** the script's function that is one visit */
  exec: string;
  curve: Curve;
  /** from the storm's beginning; default 0 */
  starts_s?: number;
  /** who can be there at once; arrivals beyond that are dropped. Default: as many as come in a second of the crowd's height */
  users?: number;
}

/** Virtual users cost memory and time to begin with. */
const USERS_MIN = 5;
const HELD_S = 1;
const USERS_MAX = 600;
/** What was sent must be answered or given up before k6 ends, or the ledger would lack it. */
const GRACE_S = PATIENCE_S + 5;
/** Rates are whole numbers in k6: per minute they lose nothing that matters. */
const UNIT = { text: '1m', seconds: 60 };

/** 4xx and the site's 503 and 429 are answers: what is counted as failed is counted by tell.ts. */
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 499 }, 503));

export function stormOptions(crowds: Record<string, Crowd>): Options {
  const scenarios = Object.fromEntries(Object.entries(crowds).map(([name, crowd]) => [name, arrivals(crowd)]));
  const expected = Object.values(crowds).reduce((sum, { curve }) => sum + arrivalsOf(curve), 0);
  return {
    scenarios: {
      ...scenarios,
      marks: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'marks', maxDuration: '1h', gracefulStop: '1s' },
    },
    thresholds: {
      // On a machine that runs the cluster, the sites and k6 on two cores: far above what an idle one answers in.
      'answer_ms{outcome:accepted}': ['p(50)<1000', 'p(99)<5000'],
      failed_answers: ['count<1'],
      unknown_answers: ['rate<0.01'],
      dropped_iterations: [`count<${Math.ceil(expected * 0.05)}`],
    },
    discardResponseBodies: true,
    systemTags: ['name', 'status', 'scenario', 'error_code', 'expected_response'],
    setupTimeout: '10m',
    noCookiesReset: false,
  };
}

function arrivals({ exec, curve, starts_s = 0, users: wanted = heightOf(curve) * HELD_S }: Crowd): Scenario {
  const users = Math.min(USERS_MAX, Math.max(USERS_MIN, Math.ceil(wanted)));
  const perUnit = (per_s: number) => Math.round(per_s * UNIT.seconds);
  return {
    executor: 'ramping-arrival-rate',
    exec,
    startTime: `${Math.round(starts_s * 1_000)}ms`,
    startRate: perUnit(curve.start_per_s),
    timeUnit: UNIT.text,
    stages: curve.stages.map(({ seconds, per_s }) => ({ duration: `${Math.round(seconds * 1_000)}ms`, target: perUnit(per_s) })),
    // All of them beforehand: to begin one in the middle of the storm costs more than it gives.
    preAllocatedVUs: users,
    maxVUs: users,
    gracefulStop: `${GRACE_S}s`,
  };
}
