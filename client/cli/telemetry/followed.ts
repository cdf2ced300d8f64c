// One transaction, assembled from the samples of its shards: attempt by attempt, shard by shard, on one time axis that begins with its
// first known attempt.

import type { FrameMessage, OperationSlice, Sample } from '../../telemetry/index.ts';

export interface FollowedOperation extends OperationSlice {
  /** after the transaction's begin; null: not known */
  atMs: number | null;
}

/** The part of an attempt at one shard. */
export interface FollowedPart {
  /** from 1 */
  attempt: number;
  shard: number;
  /** false for an abort of which only the end is known */
  traced: boolean;
  beganMs: number;
  votedMs: number | null;
  endedMs: number;
  outcome: Sample['outcome'];
  code: string;
  cause: string;
  operations: FollowedOperation[];
  operationsLeftOut: number;
}

export interface Followed {
  transaction: string;
  label: string;
  /** of its last attempt that is known */
  outcome: Sample['outcome'];
  endedAt: Date;
  durationMs: number;
  attempts: number;
  shards: number;
  /** it has voted, so other shards took part, but their samples are missing */
  isPartial: boolean;
  /** in order */
  parts: FollowedPart[];
}

interface ShardSample {
  shard: number;
  /** the time of the frame, from which all times of the sample count back */
  frameMs: number;
  sample: Sample;
}

export class Follower {
  /** in lower case, so that a user need not remember the capitals */
  readonly #label: string;
  readonly #onlyWaited: boolean;
  readonly #byTransaction = new Map<string, ShardSample[]>();
  #chosen: string | null = null;
  #patience = PATIENCE_FRAMES;
  /** labels of all samples, to suggest one */
  readonly labels = new Set<string>();

  constructor(label: string, onlyWaited: boolean) {
    this.#label = label.toLowerCase();
    this.#onlyWaited = onlyWaited;
  }

  take(frame: FrameMessage): void {
    for (const { shard, at_ms: frameMs, telemetry } of frame.shards) {
      for (const sample of telemetry.samples) {
        this.labels.add(sample.label);
        if (sample.label.toLowerCase() !== this.#label) continue;
        const known = this.#byTransaction.get(sample.transaction) ?? [];
        known.push({ shard, frameMs, sample });
        this.#byTransaction.set(sample.transaction, known);
      }
    }
    this.#chosen ??= this.#choose();
    this.#forget();
  }

  /** Chooses the first committed transaction of which all samples are known; after PATIENCE_FRAMES, the first committed one. */
  #choose(): string | null {
    const candidates = [...this.#byTransaction].filter(
      ([, samples]) => samples.some(({ sample }) => sample.traced && sample.outcome === 'committed') && this.#isWanted(samples),
    );
    if (candidates.length === 0) return null;
    const whole = candidates.find(([, samples]) => isWhole(samples));
    if (whole === undefined && (this.#patience -= 1) > 0) return null;
    return (whole ?? candidates[0]!)[0];
  }

  #isWanted(samples: readonly ShardSample[]): boolean {
    return !this.#onlyWaited || samples.some(({ sample }) => waited(sample));
  }

  /** Drops old transactions, since a long-running load has many. The chosen one and the newest stay. */
  #forget(): void {
    for (const transaction of this.#byTransaction.keys()) {
      if (this.#byTransaction.size <= KEPT_MAX) return;
      if (transaction !== this.#chosen) this.#byTransaction.delete(transaction);
    }
  }

  get hasChosen(): boolean {
    return this.#chosen !== null;
  }

  /** The chosen transaction, or else any that was sampled, such as one that has aborted. */
  followed(): Followed | null {
    const matching = [...this.#byTransaction].find(([, samples]) => this.#isWanted(samples));
    const transaction = this.#chosen ?? matching?.[0];
    return transaction === undefined ? null : assemble(transaction, this.#byTransaction.get(transaction)!);
  }
}

const KEPT_MAX = 1_000;
/** A frame holds only a few commits of each shard, so some transactions are sampled at one shard only. */
const PATIENCE_FRAMES = 10;

const lastAttempt = (samples: readonly ShardSample[]): ShardSample[] => {
  const last = Math.max(...samples.map(({ sample }) => sample.retries));
  return samples.filter(({ sample }) => sample.retries === last);
};

/** Only a transaction over several shards votes. */
const isPartial = (samples: readonly ShardSample[]): boolean => {
  const parts = lastAttempt(samples);
  return parts.some(({ sample }) => sample.votedAgoMs !== null) && new Set(parts.map(({ shard }) => shard)).size === 1;
};

const isWhole = (samples: readonly ShardSample[]): boolean =>
  !isPartial(samples) && new Set(samples.map(({ sample }) => sample.retries)).size === lastAttempt(samples)[0]!.sample.retries + 1;

const waited = ({ retries, requests }: Sample): boolean =>
  retries > 0 || requests.some(({ operations }) => operations.some(({ waitedMs, verdict }) => waitedMs > 0 || verdict !== 'granted'));

function assemble(transaction: string, samples: readonly ShardSample[]): Followed {
  const beganAt = Math.min(...samples.map(({ frameMs, sample }) => frameMs - sample.begunAgoMs));
  const parts = samples.map((each) => partOf(each, beganAt)).sort((one, other) => one.attempt - other.attempt || one.shard - other.shard);
  const durationMs = Math.max(...parts.map(({ endedMs }) => endedMs));
  const last = parts.at(-1)!;
  return {
    transaction,
    label: samples[0]!.sample.label,
    outcome: last.outcome,
    endedAt: new Date(beganAt + durationMs),
    durationMs,
    attempts: last.attempt,
    shards: new Set(parts.map(({ shard }) => shard)).size,
    isPartial: isPartial(samples),
    parts,
  };
}

function partOf({ shard, frameMs, sample }: ShardSample, beganAt: number): FollowedPart {
  const after = (agoMs: number) => Math.max(0, frameMs - agoMs - beganAt);
  const { retries, traced, begunAgoMs, votedAgoMs, endedAgoMs, outcome, code, cause, requests, operationsLeftOut } = sample;
  const operations = requests.flatMap(({ agoMs, operations: slices }) =>
    slices.map((slice) => ({ ...slice, atMs: agoMs === null ? null : after(agoMs) })),
  );
  return {
    attempt: retries + 1,
    shard,
    traced,
    beganMs: after(begunAgoMs),
    votedMs: votedAgoMs === null ? null : after(votedAgoMs),
    endedMs: after(endedAgoMs),
    outcome,
    code,
    cause,
    operations,
    operationsLeftOut,
  };
}
