// Throughput over time around closings (the paper, section 6.2; the preprint's figure 11): rubis bid-heavy, while the most popular
// auctions end one after another, and bids on each rise exponentially towards its end.
//
//   await measureTrace(cluster, { ...TRACE_DEFAULTS, conditions, seed, poll_us }, (row) => raw.append(row), (text) =>
//   progress.show(text));
//
// The caller provides an empty cluster; it is loaded once, here, and left under the last condition. Conditions run one after
// another, each with its own cohort of auctions, which end during that condition. Rows are delivered as they are measured, so a
// resumed run omits the conditions that it has. Takes `conditions.length * rounds * (warm_seconds + seconds)` and the load. Throws
// `Mismatch` as a cell does. The auctions live in real time here: a slow condition accepts fewer bids before the end, which is the
// point.

import { ClaretError, connect, type Claret } from '@claret/client';
import type { Cluster } from '../../../scripts/cluster.js';
import { setConditions } from '../../kit/with-cluster.ts';
import { EPOCH_MS } from '../../workloads/auctions.ts';
import { randomFrom } from '../../kit/random.ts';
import { Rubis } from '../../workloads/rubis.ts';
import { conditionNamed } from '../../kit/conditions.ts';
import { senderUnder } from '../../kit/sent-as-natives.ts';
import { Mismatch } from './mismatch.ts';
import type { TraceRow } from './raw.ts';

export interface TraceOptions {
  /** names */
  conditions: readonly string[];
  rounds: number;
  clients: number;
  /** of each condition, after its warm-up */
  seconds: number;
  warm_seconds: number;
  window_seconds: number;
  /** bids rise by a factor of e in this time */
  rise_seconds: number;
  /** auctions of the cohort, the most popular ones; they end one by one between 30 % and 70 % of the time */
  cohort: number;
  items: number;
  seed: number;
  /** how long the client polls after a frame */
  poll_us: number;
}

export const TRACE_DEFAULTS: TraceOptions = {
  conditions: ['rw+phasing', 'abstract+phasing', 'abstract+combining+phasing', 'none'],
  rounds: 1,
  clients: 256,
  seconds: 20,
  warm_seconds: 2,
  window_seconds: 0.25,
  rise_seconds: 1,
  cohort: 5,
  items: 30_000,
  seed: 1,
  poll_us: 0,
};

const COHORT_ENDS = { first: 0.3, last: 0.7 };
/** All other auctions end long after the trace. */
const HORIZON_SECONDS = 24 * 3600;
const ATTEMPTS_MAX = 100_000;

type Show = (text: string) => void;

export async function measureTrace(
  cluster: Cluster,
  options: TraceOptions,
  keep: (row: TraceRow) => void,
  show: Show = () => {},
): Promise<void> {
  const addresses = cluster.gateways.map(({ grpc }) => grpc);
  const begunMs = performance.now();
  const clock = () => EPOCH_MS + Math.floor(performance.now() - begunMs);
  const rubis = new Rubis(
    {
      mix: 'bid-heavy',
      items: options.items,
      horizon_seconds: HORIZON_SECONDS,
      rise_ms: 1000 * options.rise_seconds,
      clock,
    },
    randomFrom(options.seed),
  );
  // A client for loading, closing and checking, which is not measured.
  const site = await connect({ addresses, name: 'site' });
  try {
    await rubis.load(site, (done, total) => show(`trace: loaded ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`));
    for (let round = 0; round < options.rounds; round++) {
      for (const condition of options.conditions) {
        show(`trace: ${condition}, round ${round + 1} of ${options.rounds}`);
        await setConditions(cluster, conditionNamed(condition));
        const { txn_per_s, closings } = await traceOf(rubis, site, addresses, condition, options);
        const mismatches = await rubis.mismatches(site);
        if (!conditionNamed(condition).asNatives && mismatches.length > 0) {
          throw new Mismatch(
            `What is stored is not what was acknowledged: trace, ${condition}, round ${round + 1}:\n  ${mismatches[0]}, in all ${mismatches.length}`,
          );
        }
        keep({ kind: 'trace', condition, round, window_s: options.window_seconds, txn_per_s, closings });
      }
    }
  } finally {
    await site.close();
  }
}

async function traceOf(
  rubis: Rubis,
  site: Claret,
  addresses: string[],
  condition: string,
  options: TraceOptions,
): Promise<Pick<TraceRow, 'txn_per_s' | 'closings'>> {
  const retryPolicy = conditionNamed(condition).retryPolicy ?? {};
  const claret = await connect({
    addresses,
    name: 'trace',
    oneAtATime: true,
    retryPolicy,
    attemptsMax: ATTEMPTS_MAX,
    pollMicroseconds: options.poll_us,
  });
  try {
    const [sender, closer] = [senderUnder(condition, claret, { oneAtATime: true }), senderUnder(condition, site, { oneAtATime: false })];
    const beginsMs = performance.now() + 1000 * options.warm_seconds;
    const closings = endsOf(options);
    const closed = closings.map((after_s, rank) => closeInTime(rubis, closer, rank, beginsMs + 1000 * after_s));
    const counted = new Uint32Array(Math.round(options.seconds / options.window_seconds));
    const endsMs = beginsMs + 1000 * options.seconds;
    const client = async () => {
      while (performance.now() < endsMs) {
        if (!(await runOne(rubis, sender))) continue;
        const window = Math.floor((performance.now() - beginsMs) / (1000 * options.window_seconds));
        if (window >= 0 && window < counted.length) counted[window]!++;
      }
    };
    await Promise.all([...closed, ...Array.from({ length: options.clients }, client)]);
    return { txn_per_s: Array.from(counted, (count) => count / options.window_seconds), closings: closings.sort((a, b) => a - b) };
  } finally {
    await claret.close();
  }
}

/** By rank, in seconds: not in the order of popularity, which would make the trace fall over time. */
export function endsOf({ cohort, seconds }: Pick<TraceOptions, 'cohort' | 'seconds'>): number[] {
  const { first, last } = COHORT_ENDS;
  const step = cohort === 1 ? 0 : (last - first) / (cohort - 1);
  const places = Array.from({ length: cohort }, (_, i) => i);
  // The even positions first, then the odd ones: 0, 2, 4, 1, 3.
  const order = [...places.filter((i) => i % 2 === 0), ...places.filter((i) => i % 2 === 1)];
  return order.map((place) => Math.round(1000 * seconds * (first + place * step)) / 1000);
}

/** Returns whether the transaction committed. */
async function runOne(rubis: Rubis, claret: Claret): Promise<boolean> {
  try {
    await rubis.run(claret);
    return true;
  } catch (error) {
    if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
    return false;
  }
}

/** As the site does: closes the auction at its end, and retries until it is closed. */
async function closeInTime(rubis: Rubis, site: Claret, rank: number, atMs: number): Promise<void> {
  const auction = await rubis.openAt(site, rank, rubis.auctions.nowMs() + Math.round(atMs - performance.now()));
  await new Promise((resolve) => setTimeout(resolve, atMs - performance.now()));
  for (;;) {
    try {
      return await rubis.close(site, auction);
    } catch (error) {
      if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
    }
  }
}
