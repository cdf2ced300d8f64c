// The targets of epochs, and whether the rows meet them. A target whose rows are missing is left out.

import type { Part, Row } from './row.ts';

/** Lists of 100 to 4,000 operations have at least this share of the throughput without transactions. */
const BASELINE_LEAST = 0.9;
const SIZES = [100, 4_000] as const;
/** The smallest share of the baseline, over all shares of reads, is at least this part of the largest. */
const EVEN_LEAST = 0.9;
/** Lists of 1,000 operations have at least so many times the throughput by locks. */
const LOCKS_TIMES = 50;
const HOT_LEAST = 0.8;
/** Beyond the time for which the gateway stands still, strangers wait for one late list and two intervals at most. */
const STRANGERS_MS = 120;
const MANAGER_MS = 500;
const DURABLE_LEAST: Readonly<Record<string, number>> = { async: 0.95, sync: 0.8 };
/** At least this share of the commits is in epochs. With fewer, a figure is not one of epochs. */
const IN_EPOCHS_LEAST = 0.99;
const BESIDE_P99_TIMES = 1.3;

const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
const digits = (value: number, most = 2) => value.toFixed(most);

class Rows {
  readonly #rows: readonly Row[];

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  of(part: Part, way: Row['way'] = 'epoch'): Row[] {
    return this.#rows.filter((row) => row.part === part && row.way === way);
  }

  named(part: Part, name: string, way: Row['way'] = 'epoch'): Row | undefined {
    return this.of(part, way).find((row) => row.name === name);
  }
}

function ofSize(rows: Rows): string[] {
  const shares = rows.of('size').filter(({ size, to_baseline }) => size >= SIZES[0] && size <= SIZES[1] && to_baseline !== null);
  const [large, byLocks] = [rows.named('size', '1000'), rows.named('size', '1000', 'locks')];
  const told = shares.map(({ name, to_baseline }) => `${digits(to_baseline!)} at ${name}`).join(', ');
  return [
    ...(shares.length === 0
      ? []
      : [
          `of the baseline: ${told} (goal: ${BASELINE_LEAST}, ${verdict(shares.every(({ to_baseline }) => to_baseline! >= BASELINE_LEAST))})`,
        ]),
    ...(large === undefined || byLocks === undefined ? [] : [timesLocks(large, byLocks)]),
  ];
}

function timesLocks(large: Row, byLocks: Row): string {
  const times = large.txn_per_s / byLocks.txn_per_s;
  const told = Number.isFinite(times)
    ? `${digits(times, 0)} times`
    : `${digits(large.txn_per_s, 0)} lists/s, where locks commit none in the span`;
  return `lists of 1,000 to locks, ${large.in_flight} in flight: ${told} (goal: ${LOCKS_TIMES} times, ${verdict(times >= LOCKS_TIMES)})`;
}

function ofShare(rows: Rows): string[] {
  const shares = rows.of('share').flatMap(({ to_baseline }) => to_baseline ?? []);
  if (shares.length < 2) return [];
  const even = Math.min(...shares) / Math.max(...shares);
  return [
    `the least share of the baseline to the greatest, over all shares of reads: ${digits(even)} (goal: ${EVEN_LEAST}, ${verdict(even >= EVEN_LEAST)})`,
  ];
}

function ofContention(rows: Rows): string[] {
  const share = rows.named('contention', '1')?.to_baseline;
  if (share === undefined || share === null) return [];
  return [`one hot record, of the baseline: ${digits(share)} (goal: ${HOT_LEAST}, ${verdict(share >= HOT_LEAST)})`];
}

function ofStraggler(rows: Rows): string[] {
  return rows.of('straggler').flatMap(({ name, straggler }) => {
    if (straggler === undefined || !name.endsWith('strangers')) return [];
    const { stopped_ms, gap_ms, until_epoch_ms } = straggler;
    if (stopped_ms === null) {
      const told = until_epoch_ms === null ? 'not within the round' : `after ${digits(until_epoch_ms, 0)} ms`;
      return [
        `${name} commit in epochs again ${told} (goal: ${MANAGER_MS} ms, ${verdict(until_epoch_ms !== null && until_epoch_ms <= MANAGER_MS)})`,
      ];
    }
    return [
      `${name}, longest time without a commit: ${digits(gap_ms, 0)} ms (goal: ${STRANGERS_MS} ms, ${verdict(gap_ms <= STRANGERS_MS)})`,
    ];
  });
}

function ofDurability(rows: Rows): string[] {
  const none = rows.named('durability', 'none');
  return rows.of('durability').flatMap(({ name, to_baseline, epoch_share }) => {
    const least = DURABLE_LEAST[name];
    if (least === undefined || to_baseline === null) return [];
    // Lists of this size that go by locks collapse, whatever is written.
    const isInEpochs = Math.min(epoch_share, none?.epoch_share ?? 0) >= IN_EPOCHS_LEAST;
    const told = isInEpochs ? verdict(to_baseline >= least) : 'not comparable, since lists have left the epochs';
    return [`durability ${name}, of none: ${digits(to_baseline)} (goal: ${least}, ${told})`];
  });
}

function ofBeside(rows: Rows): string[] {
  const p99 = rows.named('beside', 'beside epochs', 'locks')?.p99_to_baseline;
  if (p99 === undefined || p99 === null) return [];
  return [
    `p99 of interactive transactions beside epochs, to alone: ${digits(p99)} (goal: ${BESIDE_P99_TIMES}, ${verdict(p99 <= BESIDE_P99_TIMES)})`,
  ];
}

/** A line for each target. */
export function targetsOf(all: readonly Row[]): string[] {
  const rows = new Rows(all);
  return [ofSize, ofShare, ofContention, ofStraggler, ofDurability, ofBeside].flatMap((lines) => lines(rows));
}
