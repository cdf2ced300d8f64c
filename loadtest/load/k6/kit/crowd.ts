// k6's options for a storm: the arrivals, the thresholds at which it counts as failed, and settings that save k6 work.

import http from 'k6/http';
import type { Options, Scenario } from 'k6/options';
import { arrivalsOf, heightOf, type Curve } from './arrival.ts';
import { PATIENCE_S } from './site.ts';

/** Visitors of one kind. */
export interface Crowd {
  /** the script's function for one visit */
  exec: string;
  curve: Curve;
  /** seconds from the start of the storm; default 0 */
  starts_s?: number;
  /** the number that can be present at once; further arrivals are dropped. Default: the arrivals of one second at the peak */
  users?: number;
}

/** Virtual users cost memory and start-up time. */
const USERS_MIN = 5;
const HELD_S = 1;
const USERS_MAX = 600;
/** All requests must be answered or given up before k6 ends, otherwise the ledger would lack them. */
const GRACE_S = PATIENCE_S + 5;
/** k6 requires integer rates; per minute the rounding is negligible. */
const UNIT = { text: '1m', seconds: 60 };

/** 4xx and the site's 503 and 429 are regular responses: tell.ts counts failures. */
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
      // For a machine that runs the cluster, the sites and k6 on two cores: far above the latencies of an idle one.
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
    // All of them in advance: starting one during the storm is too expensive.
    preAllocatedVUs: users,
    maxVUs: users,
    gracefulStop: `${GRACE_S}s`,
  };
}
