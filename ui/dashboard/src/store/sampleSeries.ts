// Sampled transactions: the operations of their attempts at each shard, joined by transaction. All of the newest are kept, and ever
// fewer of older ones; a transaction is kept or dropped as a whole.
import type { Sample, ShardTelemetry } from '@claret/client/telemetry';
import { FadingLog } from './fadingLog.ts';
import type { Span } from './span.ts';

export interface SampledAttempt extends Sample {
  shard: number;
  begun_ms: number;
  /** null: it did not vote, or it committed at this shard alone */
  voted_ms: number | null;
  ended_ms: number;
}

export interface TransactionSample {
  transaction: string;
  label: string;
  /** in order of their beginning; branches of one attempt at several shards are adjacent */
  attempts: SampledAttempt[];
  begun_ms: number;
  ended_ms: number;
  /** outcome of the last attempt */
  outcome: 'committed' | 'aborted';
  retries: number;
}

export interface SampleFilter {
  label?: string;
  outcome?: 'committed' | 'aborted';
  /** at least one attempt has an operation on this record */
  key?: string;
}

/** Limit for one transaction; beyond it only the newest attempts are kept. */
const ATTEMPTS_MAX = 96;
/** Limit on operations and attempts of all transactions together. */
const KEPT_MAX = 60_000;

interface Entry {
  at_ms: number;
  weight: number;
  sample: TransactionSample;
}

export class SampleSeries {
  private readonly byTransaction = new Map<string, Entry>();
  private readonly log = new FadingLog<Entry>(KEPT_MAX, (entry) => this.byTransaction.delete(entry.sample.transaction));

  take(at_ms: number, told: readonly { shard: number; at_ms: number; telemetry: ShardTelemetry }[], oldest_ms: number): void {
    for (const { shard, at_ms: told_ms, telemetry } of told) {
      for (const sample of telemetry.samples) {
        const attempt: SampledAttempt = {
          ...sample,
          shard,
          begun_ms: told_ms - sample.begunAgoMs,
          voted_ms: sample.votedAgoMs === null ? null : told_ms - sample.votedAgoMs,
          ended_ms: told_ms - sample.endedAgoMs,
        };
        const known = this.byTransaction.get(sample.transaction);
        if (known === undefined) this.begin(at_ms, attempt, oldest_ms);
        else this.join(known, attempt);
      }
    }
  }

  /** Transactions that ran within the span, newest first. */
  list(span: Span, filter: SampleFilter = {}): TransactionSample[] {
    const samples: TransactionSample[] = [];
    // Samples arrive at or after their end, so entries from before the span cannot lie in it.
    for (let index = this.log.search(span.from_ms); index < this.log.length; index += 1) {
      const { sample } = this.log.at(index)!;
      if (sample.begun_ms < span.to_ms && sample.ended_ms >= span.from_ms && matches(sample, filter)) samples.push(sample);
    }
    return samples.sort((one, other) => other.ended_ms - one.ended_ms);
  }

  /** Null if the transaction was not sampled, or is no longer kept. */
  find(transaction: string): TransactionSample | null {
    return this.byTransaction.get(transaction)?.sample ?? null;
  }

  clear(): void {
    this.log.clear();
  }

  private begin(at_ms: number, attempt: SampledAttempt, oldest_ms: number): void {
    const { transaction, label, begun_ms, ended_ms, outcome, retries } = attempt;
    const sample: TransactionSample = { transaction, label, attempts: [attempt], begun_ms, ended_ms, outcome, retries };
    const entry: Entry = { at_ms, weight: weightOf(attempt), sample };
    this.byTransaction.set(transaction, entry);
    this.log.add(entry, oldest_ms);
  }

  private join(entry: Entry, attempt: SampledAttempt): void {
    const { sample } = entry;
    // A new object, so that views that hold the old one notice the change.
    const attempts = [...sample.attempts, attempt].sort(
      (one, other) => one.retries - other.retries || one.begun_ms - other.begun_ms || one.shard - other.shard,
    );
    const last = attempts.at(-1)!;
    const forgotten = attempts.length > ATTEMPTS_MAX ? attempts.shift()! : null;
    entry.sample = {
      ...sample,
      attempts,
      begun_ms: Math.min(sample.begun_ms, attempt.begun_ms),
      ended_ms: Math.max(sample.ended_ms, attempt.ended_ms),
      outcome: last.outcome,
      retries: last.retries,
    };
    const grown = weightOf(attempt) - (forgotten === null ? 0 : weightOf(forgotten));
    entry.weight += grown;
    this.log.grown(grown);
  }
}

function weightOf(attempt: SampledAttempt): number {
  let weight = 1;
  for (const request of attempt.requests) weight += 1 + request.operations.length;
  return weight;
}

function matches({ label, outcome, attempts }: TransactionSample, filter: SampleFilter): boolean {
  if (filter.label !== undefined && filter.label !== label) return false;
  if (filter.outcome !== undefined && filter.outcome !== outcome) return false;
  if (filter.key === undefined) return true;
  return attempts.some(({ requests }) => requests.some(({ operations }) => operations.some(({ key }) => key === filter.key)));
}
