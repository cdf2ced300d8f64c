// The requests to the driver process of the part `straggler`, and its answers.

import { mean, median, quantile } from '../../kit/statistics.ts';
import { longestGap, untilCommit, type Done } from './gaps.ts';
import type { Answer, Way } from './question.ts';
import type { Straggling } from './row.ts';

/** Lists that have half of their records at each of two shards. No list of one kind has a record of the other. */
export type Kind = 'strangers' | 'needing';

export interface StandstillQuestion {
  addresses: string[];
  way: Way;
  size: number;
  /** of each kind */
  inFlight: number;
  readShare: number;
  shards: number;
  /** the shards of the lists of each kind that takes part */
  kinds: Partial<Record<Kind, [number, number]>>;
  /** the gateway that stands still */
  pid: number;
  /** for so long; null: it is killed */
  stopMs: number | null;
  /** before the stop, and after its end */
  calmMs: number;
  afterMs: number;
  seed: number;
}

/** What one round has measured. */
export interface KindAnswer extends Answer, Omit<Straggling, 'greatest_gap_ms'> {}

export type StandstillAnswer = Partial<Record<Kind, KindAnswer>>;

/** The commits of one kind, with the moments of the stop and of the end of the load, in ms since the same moment. */
export interface Observed {
  done: readonly Done[];
  /** attempts that were followed by another, from the stop on */
  retries: number;
  stopMs: number | null;
  stoppedMs: number;
  endMs: number;
}

/** What the observed lists say. Throughput and latencies are those from the stop on. */
export function kindAnswer({ done, retries, stopMs, stoppedMs, endMs }: Observed): KindAnswer {
  const since = done.filter(({ endedMs }) => endedMs >= stoppedMs && endedMs < endMs);
  const inEpochs = since.filter(({ inEpoch }) => inEpoch);
  const spanMs = endMs - stoppedMs;
  const tookMs = since.length === 0 ? [spanMs] : since.map(({ begunMs, endedMs }) => endedMs - begunMs);
  return {
    txn_per_s: (1_000 * since.length) / spanMs,
    mean_ms: mean(tookMs),
    p50_ms: quantile(tookMs, 0.5),
    p99_ms: quantile(tookMs, 0.99),
    retries_per_commit: retries / Math.max(1, since.length),
    epoch_share: inEpochs.length / Math.max(1, since.length),
    client_us_per_op: null,
    gateway_us_per_op: null,
    stopped_ms: stopMs,
    gap_ms: longestGap(done, stoppedMs, endMs),
    calm_gap_ms: longestGap(done, stoppedMs - spanMs, stoppedMs),
    until_commit_ms: untilCommit(since, stoppedMs),
    until_epoch_ms: untilCommit(inEpochs, stoppedMs),
  };
}

/** REQUIRES: at least one round. */
export function stragglingOf(rounds: readonly KindAnswer[]): Straggling {
  const middle = (figure: (round: KindAnswer) => number) => median(rounds.map(figure));
  const ifAll = (figure: (round: KindAnswer) => number | null) => {
    const all = rounds.map(figure).filter((ms) => ms !== null);
    return all.length < rounds.length ? null : median(all);
  };
  return {
    stopped_ms: rounds[0]!.stopped_ms,
    gap_ms: middle(({ gap_ms }) => gap_ms),
    greatest_gap_ms: Math.max(...rounds.map(({ gap_ms }) => gap_ms)),
    calm_gap_ms: middle(({ calm_gap_ms }) => calm_gap_ms),
    until_commit_ms: ifAll(({ until_commit_ms }) => until_commit_ms),
    until_epoch_ms: ifAll(({ until_epoch_ms }) => until_epoch_ms),
  };
}
