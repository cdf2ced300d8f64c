// Judge: the verdict on a run, part by part. A part ends in a lull (lull.ts) or with the run: no transaction is in flight and all
// logs are durable. Its attempts, completed from the shards' logs, are checked and dropped. The judge keeps only the state that a
// later part can contradict: the records' models, and a little of each record's last transactions (../history/past.ts). So memory
// does not grow with the length of a run.
import type { HistoryAttempt, HistoryListener } from '@claret/client';
import { AsOf, isOfThePast } from '../history/as-of.ts';
import { checkHistory } from '../history/check.ts';
import { checkLinear } from '../history/linear.ts';
import { changes } from '../history/models/index.ts';
import { Past } from '../history/past.ts';
import { bare, isOfRedis, REDIS_LABEL, typed } from '../history/redis.ts';
import type { Given, States } from '../history/replay.ts';
import { Snapshots } from '../history/snapshots.ts';
import { LogReader, type LoggedAttempt } from './log-reader.ts';
import { memberWaits } from './member-waits.ts';
import { longNativeWaits } from './native-waits.ts';
import { calm } from './plans/calm.ts';
import type { Plan } from './plan.ts';
import { RedisJudge } from './redis-judge.ts';
import type { SimulatedCluster } from './cluster.ts';
import type { Watcher } from './watcher.ts';
import type { Violation } from '../workloads/violation.ts';
import type { Running, Workload } from '../workloads/workload.ts';

/** The share of records on which the linearizability check may give up. */
const UNDECIDED_SHARE_MAX = 0.01;

/** The run under judgement (Simulation). */
export interface JudgedRun {
  readonly plan: Plan;
  readonly cluster: SimulatedCluster;
  readonly watcher: Watcher | null;
  readonly running: Running;
  readonly workload: Workload;
  readonly violations: Violation[];
  blame(rule: string, text: string): void;
}

export class Judge {
  readonly #run: JudgedRun;
  readonly #onAttempt: HistoryListener | undefined;
  readonly #logs = new LogReader();
  readonly #redis = new RedisJudge();
  readonly #before = {
    states: new Map() as States,
    given: new Map<string, Given>(),
    past: new Past(),
    snapshots: new Snapshots(),
    asOf: new AsOf(),
  };
  /** key → type of each record that an attempt named */
  readonly records = new Map<string, string>();
  /** keys of records that an attempt has changed for certain */
  readonly #made = new Set<string>();
  /** the greatest number of attempts kept at once */
  keptMax = 0;
  /** what the linearizability check judged, part by part, and how much of it it gave up */
  readonly linear = { records: 0, undecided: 0 };
  /** where nothing fails: members of epochs that met no locks, and the longest wait of a member while nobody held its records by locks */
  readonly members = { alone: 0, longestMs: 0 };
  /** reported since the last part ended */
  #attempts: HistoryAttempt[] = [];
  /** of the previous part, not committed so far: a late message may still commit one */
  #uncommitted: HistoryAttempt[] = [];
  /** committed in the previous part without a report, timestamp by id: the process has died, or has not yet got the outcome */
  #untold = new Map<string, bigint>();

  /** `onAttempt` is called once for every attempt of the history. */
  constructor(run: JudgedRun, onAttempt?: HistoryListener) {
    this.#run = run;
    this.#onAttempt = onAttempt;
  }

  /** The attempts of the current part. */
  get attempts(): readonly HistoryAttempt[] {
    return this.#attempts;
  }

  /** reads of the past, part by part: those judged, and those of moments that nobody knows any more */
  get past(): { judged: number; beyond: number } {
    const { judged, beyond } = this.#before.asOf;
    return { judged, beyond };
  }

  take(attempt: HistoryAttempt): void {
    this.#attempts.push(attempt);
    this.#note(attempt);
    if (!isOfRedis(attempt)) this.#onAttempt?.(attempt);
  }

  /** Only who changes a record knows its type for certain. */
  #note({ outcome, ops }: HistoryAttempt): void {
    for (const { key, type, op } of ops) {
      const isMade = outcome === 'ok' && changes(type, op);
      if (this.#made.has(key) && !isMade) continue;
      if (isMade) this.#made.add(key);
      this.records.set(key, type);
    }
  }

  /** REQUIRES: no attempt is in flight, and everything that the shards have logged is durable. */
  endPart(): void {
    for (const shard of this.#run.cluster.shards) this.#logs.read(shard.takeLog());
    const told = this.#attempts.filter((attempt) => !this.#isJudged(attempt));
    const logged = [...this.#logs.attempts].map((one) => ({ ...one, ops: typed(one.ops, this.records) }));
    const found = this.#redis.find([...this.#uncommitted, ...told], logged);
    const untold = this.#untoldAmong(found, logged);
    for (const attempt of untold) this.#onAttempt?.(attempt);
    const { committed } = this.#logs;
    const { attempts, ambiguous } = this.#redis.place([...found, ...untold], committed, this.#before.states);
    this.keptMax = Math.max(this.keptMax, attempts.length);
    this.#run.watcher?.judgeTold(attempts, committed);
    const logs = { committed, decided: true };
    // First, because the history check moves the states to the end of the part.
    const linear = checkLinear([...attempts, ...ambiguous], logs, { states: this.#before.states });
    this.linear.records += linear.records;
    this.linear.undecided += linear.undecided.length;
    const { violations } = checkHistory(attempts, logs, this.#before);
    const waits = this.#run.plan === calm ? this.#longWaits(told.filter((attempt) => !isOfThePast(attempt))) : [];
    for (const { rule, text } of [...this.#redis.takeViolations(), ...violations, ...linear.violations, ...waits])
      this.#run.blame(rule, text);
    this.#untold = new Map(untold.map(({ id }) => [id, BigInt(committed.get(id)!)]));
    const carried = new Set(this.#uncommitted);
    const mayCommit = ({ id, order }: HistoryAttempt) => order === undefined && !committed.has(id);
    this.#uncommitted = found.filter((one) => mayCommit(one) && !carried.has(one) && !(isOfRedis(one) && one.outcome === 'ok'));
    const open = new Set(this.#uncommitted);
    for (const attempt of attempts) {
      if (attempt.label === REDIS_LABEL && !untold.includes(attempt) && !open.has(attempt)) this.#onAttempt?.(bare(attempt));
    }
    this.#attempts = [];
    this.#logs.endPart();
  }

  #longWaits(told: readonly HistoryAttempt[]): Violation[] {
    const { alone, longestMs, violations } = memberWaits(told);
    this.members.alone += alone;
    this.members.longestMs = Math.max(this.members.longestMs, longestMs);
    return [...longNativeWaits(told), ...violations];
  }

  /** Ends the last part: the history includes the final reads. */
  end(): void {
    const last = this.#attempts;
    this.endPart();
    const { records, undecided } = this.linear;
    if (undecided > UNDECIDED_SHARE_MAX * records)
      this.#run.blame('linear', `the search for an order was given up on ${undecided} of ${records} records`);
    const { watcher, running, violations } = this.#run;
    watcher?.judgeLast(last);
    violations.push(...(watcher?.violations ?? []), ...(running.judge?.(last) ?? []));
  }

  /** It was judged in the previous part, as one without a report. */
  #isJudged({ id, outcome, order, error }: HistoryAttempt): boolean {
    const at = this.#untold.get(id);
    if (at === undefined) return false;
    if (outcome === 'fail')
      this.#run.blame('aborted', `attempt ${id} was told as failed (${error}), but the logs have it committed at ${at}`);
    if (order !== undefined && BigInt(order) !== at) {
      this.#run.blame('timestamp', `attempt ${id} was told to be committed at ${order}, the logs say ${at}`);
    }
    return true;
  }

  /** Committed attempts without a report, because their process died. Their operations are taken from the logs. */
  #untoldAmong(attempts: readonly HistoryAttempt[], logged: readonly LoggedAttempt[]): HistoryAttempt[] {
    const told = new Set(attempts.map(({ id }) => id));
    return logged
      .filter(({ id, at }) => at !== null && !told.has(id))
      .map(({ id, label, ops }) => ({ id, transaction: id, process: 'dead', label, call: 0, return: 0, outcome: 'unknown', ops }));
  }
}
