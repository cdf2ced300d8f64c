// Runs in k6: requests pages at fixed rates, and writes a line for each answer to the console (visits.ts).

import exec from 'k6/execution';
import http from 'k6/http';
import type { Options, Scenario } from 'k6/options';
import type { VisitLine, Visiting } from './visits.ts';

const { urls, streams, seconds } = JSON.parse(__ENV['VISITING']!) as Visiting;
/** that can be under way at once; k6 drops further ones */
const USERS_MAX = 64;
const USERS = 8;

const scenarios = streams.map(({ per_s }, stream): Scenario => ({
  executor: 'constant-arrival-rate',
  exec: 'visit',
  rate: per_s,
  timeUnit: '1s',
  duration: `${seconds}s`,
  preAllocatedVUs: USERS,
  maxVUs: USERS_MAX,
  gracefulStop: '10s',
  env: { STREAM: String(stream) },
}));

export const options: Options = { scenarios: Object.fromEntries(scenarios.map((scenario, stream) => [`stream${stream}`, scenario])) };

export function visit(): void {
  const { pages } = streams[Number(__ENV['STREAM'])]!;
  const page = pages[exec.scenario.iterationInTest % pages.length]!;
  const began_ms = Date.now();
  const answer = http.get(urls[page]!);
  const bids = answer.status === 200 ? (answer.json('live.bid_count') as number) : null;
  const line: VisitLine = [page, began_ms, answer.timings.duration, answer.status, bids];
  console.log(JSON.stringify(line));
}
