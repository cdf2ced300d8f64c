// Tally: the figures of a ledger, in total and second by second. Latencies are those of the scenario's accepted work.
//
// The `accepted` of a second are the requests that were answered in it: throughput. All other figures of a second are about the
// requests that were *sent* in it: the service for visitors who came then.

import { quantile } from '../../../kit/statistics.ts';
import type { LedgerLine, ScenarioNeeds } from '../storm.ts';

export interface Second {
  /** from the start of the storm */
  second: number;
  sent: number;
  accepted: number;
  /** null: none sent in it was accepted */
  p50_ms: number | null;
  p99_ms: number | null;
  shed: number;
  refused: number;
  unknown: number;
  failed: number;
}

export interface Totals {
  accepted: number;
  p50_ms: number | null;
  p99_ms: number | null;
  /** responses "too busy" */
  shed: number;
  unknown: number;
  failed: number;
  /** by code */
  refused: Record<string, number>;
}

type Bucket = Omit<Second, 'second' | 'p50_ms' | 'p99_ms'> & { latencies_ms: number[] };

export class Tally {
  readonly #kinds: ScenarioNeeds['accepted'];
  readonly #begins_ms: number;
  readonly #buckets: Bucket[] = [];
  readonly #refused = new Map<string, number>();

  /** `kinds`: of the lines that are the scenario's work. `begins_ms`: start of the storm. */
  constructor(kinds: ScenarioNeeds['accepted'], begins_ms: number) {
    this.#kinds = kinds;
    this.#begins_ms = begins_ms;
  }

  add([kind, at_ms, ms, outcome]: LedgerLine): void {
    const sent = this.#bucketAt(at_ms);
    sent.sent++;
    if (outcome === 'accepted') {
      if (!this.#kinds.includes(kind)) return;
      sent.latencies_ms.push(ms);
      this.#bucketAt(at_ms + ms).accepted++;
    } else if (outcome === 'shed' || outcome === 'unknown' || outcome === 'failed') {
      sent[outcome]++;
    } else {
      sent.refused++;
      const code = outcome.slice('refused:'.length);
      this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1);
    }
  }

  #bucketAt(time_ms: number): Bucket {
    const second = Math.max(0, Math.floor((time_ms - this.#begins_ms) / 1_000));
    while (this.#buckets.length <= second) {
      this.#buckets.push({ sent: 0, accepted: 0, shed: 0, refused: 0, unknown: 0, failed: 0, latencies_ms: [] });
    }
    return this.#buckets[second]!;
  }

  seconds(): Second[] {
    return this.#buckets.map(({ latencies_ms, ...counts }, second) => ({
      second,
      ...counts,
      p50_ms: quantileOf(latencies_ms, 0.5),
      p99_ms: quantileOf(latencies_ms, 0.99),
    }));
  }

  totals(): Totals {
    const latencies_ms = this.#buckets.flatMap((bucket) => bucket.latencies_ms);
    const sum = (of: 'shed' | 'unknown' | 'failed') => this.#buckets.reduce((all, bucket) => all + bucket[of], 0);
    return {
      accepted: latencies_ms.length,
      p50_ms: quantileOf(latencies_ms, 0.5),
      p99_ms: quantileOf(latencies_ms, 0.99),
      shed: sum('shed'),
      unknown: sum('unknown'),
      failed: sum('failed'),
      refused: Object.fromEntries([...this.#refused].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}

const quantileOf = (values: readonly number[], q: number): number | null => (values.length === 0 ? null : quantile(values, q));
