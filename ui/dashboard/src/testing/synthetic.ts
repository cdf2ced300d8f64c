// A seeded generator of plausible telemetry for tests, benchmarks and development. Hot records alternate between adding and
// reading; transactions conflict, wait in chains and are sampled. It is never part of the page.
import { seeded, type Seeded } from '../../../kit/seeded.ts';
import { LATENCY_BUCKETS, TELEMETRY_VERSION, latencyBoundMs } from '@claret/client/telemetry';
import type {
  Conditions,
  Conflict,
  FrameMessage,
  HotRecord,
  MarkMessage,
  Phase,
  Replication,
  Sample,
  ShardTelemetry,
  Slots,
  TelemetryMessage,
  Waiter,
  WelcomeMessage,
} from '@claret/client/telemetry';
import { SyntheticEpochs } from './syntheticEpochs.ts';

export interface SyntheticOptions {
  seed: string;
  shards: number;
  /** per shard */
  hotRecords: number;
  began_ms: number;
  frame_ms: number;
  /** mean length of a phase, ms */
  phase_ms: number;
  /** rows in the conflict table of each shard */
  conflicts: number;
  waiters: number;
  samples: number;
  /** 0: the cluster is not replicated */
  standbys: number;
  /** per second; 0: none */
  epochs: number;
}

const DEFAULTS: SyntheticOptions = {
  seed: 'claret',
  shards: 2,
  hotRecords: 16,
  began_ms: 1_760_000_000_000,
  frame_ms: 200,
  phase_ms: 120,
  conflicts: 24,
  waiters: 12,
  samples: 8,
  standbys: 0,
  epochs: 0,
};

const LABELS = ['bid', 'viewAuction', 'comment', 'openAuction', 'closeAuction', 'browse', 'post', 'timeline'];
const TYPES = [
  { type: 'Set', key: 'bids', write: 'add', read: 'size', modes: ['add', 'read'] },
  { type: 'MaxRegister', key: 'top', write: 'raise', read: 'get', modes: ['raise', 'read'] },
  { type: 'Counter', key: 'views', write: 'add', read: 'get', modes: ['add', 'read'] },
  { type: 'Register', key: 'item', write: 'set', read: 'get', modes: ['exclusive', 'read'] },
] as const;
const CAUSES = ['lock_wait', 'phase_wait'];

/** What this cluster has none of. */
const NONE = {
  turns: 0,
  turnsTimedOut: 0,
  turnKeptMs: 0,
  turnWaitMs: 0,
  warranties: 0,
  warrantiesRecalled: 0,
  grants: 0,
  grantsReturned: 0,
  grantsLapsed: 0,
  expects: 0,
  expectsChanged: 0,
  warrantedAnswers: 0,
  warrantedCommits: 0,
  rollbacks: 0,
  rollbackSteps: 0,
  snapshotReads: 0,
  snapshotAgeMs: 0,
  clocksApart: 0,
  grantsStanding: 0,
  warrantiesLeftOut: 0,
  turnsLeftOut: 0,
  turnSlices: [],
  turn: null,
};

interface LiveRecord {
  key: string;
  kind: (typeof TYPES)[number];
  heat: number;
  mode: number;
  began_ms: number;
  until_ms: number;
  letIn: number;
}

const round = (ms: number) => Math.round(ms * 1_000) / 1_000;

export class SyntheticCluster {
  readonly options: SyntheticOptions;
  conditions: Conditions = { locks: 'abstract', phasing: true, combining: 'auto' };
  /** under way */
  moves: Slots['moves'] = [];
  private readonly chance: Seeded;
  private readonly epochs: SyntheticEpochs;
  private readonly records: LiveRecord[][];
  private now_ms: number;
  private frames = 0;
  private transactions = 0;

  constructor(options: Partial<SyntheticOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { seed, shards, epochs, began_ms } = this.options;
    this.chance = seeded(seed);
    this.epochs = new SyntheticEpochs(seed, shards, epochs, began_ms);
    this.now_ms = this.options.began_ms;
    this.records = Array.from({ length: this.options.shards }, (_, shard) =>
      Array.from({ length: this.options.hotRecords }, (_, rank) => this.record(shard, rank)),
    );
  }

  welcome(): WelcomeMessage {
    const { shards, frame_ms } = this.options;
    const { now_ms: at_ms, conditions } = this;
    const frames_per_second = Math.round(1_000 / frame_ms);
    return { kind: 'welcome', version: TELEMETRY_VERSION, at_ms, shards, frames_per_second, conditions, marks: [] };
  }

  /** The frame of the next `frame_ms`. */
  frame(): FrameMessage {
    this.now_ms += this.options.frame_ms;
    this.frames += 1;
    this.epochs.pass(this.now_ms);
    const shards = this.records.map((_, shard) => ({ shard, at_ms: this.now_ms, telemetry: this.telemetry(shard) }));
    const replication = this.options.standbys === 0 ? {} : { replication: this.replication() };
    const slots = this.slots();
    return { kind: 'frame', number: this.frames, at_ms: this.now_ms, shards, silent: [], missed: 0, ...replication, slots };
  }

  /** A further shard, without slots. */
  join(): void {
    const shard = this.records.length;
    this.records.push(Array.from({ length: this.options.hotRecords }, (_, rank) => this.record(shard, rank)));
  }

  private slots(): Slots {
    const dealt = this.options.shards;
    const gateway = (shard: number) => ({ address: `10.0.0.${shard}:7401`, rest_address: `10.0.0.${shard}:7400` });
    const shards = this.records.map((_, shard) => ({ shard, ...gateway(shard), slots: shard < dealt ? Math.floor(16_384 / dealt) : 0 }));
    return { shards, moves: [...this.moves] };
  }

  private replication(): Replication {
    const { shards, standbys, began_ms } = this.options;
    const gateway = (number: number) => ({ address: `10.0.0.${number}:7401`, rest_address: `10.0.0.${number}:7400` });
    return {
      owners: Array.from({ length: shards }, (_, shard) => ({
        shard,
        ...gateway(shard),
        incarnation: 7 + shard,
        since_ms: began_ms,
        present: true,
      })),
      standbys: Array.from({ length: standbys }, (_, standby) => ({
        ...gateway(shards + standby),
        follows: Array.from({ length: shards }, (_unused, shard) => ({ shard, ready: true, behind: this.chance.pick([0, 0, 400]) })),
      })),
    };
  }

  change(conditions: Partial<Conditions>): MarkMessage {
    this.conditions = { ...this.conditions, ...conditions };
    return { kind: 'mark', id: `synthetic-${this.now_ms}`, at_ms: this.now_ms, what: { conditions: this.conditions } };
  }

  /** A welcome and the given number of frames. */
  *messages(frames: number): Generator<TelemetryMessage> {
    yield this.welcome();
    for (let frame = 0; frame < frames; frame += 1) yield this.frame();
  }

  private record(shard: number, rank: number): LiveRecord {
    const kind = TYPES[rank % TYPES.length]!;
    const until_ms = this.now_ms + this.options.phase_ms * this.chance.next();
    const key = `auction:${shard}${rank}:${kind.key}`;
    return { key, kind, heat: 4_000 / (rank + 1), mode: 0, began_ms: this.now_ms, until_ms, letIn: 0 };
  }

  private telemetry(shard: number): ShardTelemetry {
    const { chance, options } = this;
    const hotRecords = this.records[shard]!.map((record) => this.hotRecord(record)).sort((one, other) => other.heat - one.heat);
    const commits = chance.integer(300, 700);
    const latencies = this.latencies(commits);
    const epochs = this.epochs.told(shard, this.now_ms);
    const retries = this.conditions.locks === 'rw' ? chance.integer(100, 900) : chance.integer(0, 40);
    const waits = Object.fromEntries(
      CAUSES.map((cause) => [cause, { count: chance.integer(10, 90), totalMs: round(chance.between(50, 900)) }]),
    );
    return {
      wallMs: this.now_ms,
      monotonicMs: round(this.now_ms - options.began_ms),
      elapsedMs: options.frame_ms,
      number: this.frames,
      begun: commits + retries,
      retries,
      commits,
      homeCommits: Math.round(commits * 0.8),
      denials: chance.integer(0, 20),
      operations: commits * 5 + epochs.epochOperations,
      natives: 2 * commits,
      nativeBreaks: Math.round(retries * 0.2),
      redisCommands: commits,
      members: commits,
      answeredAgain: chance.integer(0, 30),
      chainsBroken: chance.integer(0, 1),
      batches: shard === 0 ? 40 : 0,
      batchMembers: shard === 0 ? 40 * chance.integer(1, 12) : 0,
      stoodBack: 0,
      framesIn: commits,
      framesOut: commits,
      aborts: { wounded: Math.round(retries * 0.7), lock_timeout: retries - Math.round(retries * 0.7), withdrawn: chance.integer(0, 20) },
      breaks: {},
      standBacks: {},
      waits,
      latencies,
      latencyTotalMs: round(latencies.reduce((sum, [bucket, count]) => sum + count * latencyBoundMs(bucket) * 0.9, 0)),
      thrownAwayMs: round(retries * chance.between(1, 9)),
      backingOffMs: round(retries * chance.between(0.1, 2)),
      queuedMs: round(retries * chance.between(0, 4)),
      inFlight: chance.integer(40, 160),
      waiting: chance.integer(0, 60),
      inDoubt: chance.integer(0, 4),
      records: 30_000 + this.frames,
      sessions: 12,
      undecidedMembers: chance.integer(0, 80),
      conflicts: this.conflicts(),
      conflictsLeftOut: chance.integer(0, 5),
      hotRecords,
      recordsTracked: 128,
      phasesLeftOut: 0,
      ...NONE,
      ...epochs,
      waiters: this.waiters(shard),
      samples: Array.from({ length: options.samples }, () => this.sample(shard)),
      commitsSampledOneIn: 64,
      abortsLeftOut: 0,
    };
  }

  /** One record's part of a frame; its phases continue from frame to frame. */
  private hotRecord(record: LiveRecord): HotRecord {
    const { chance, options } = this;
    const phases: Phase[] = [];
    const told = (ended_ms: number): Phase => ({
      mode: record.kind.modes[record.mode]!,
      session: '',
      agoMs: round(this.now_ms - record.began_ms),
      lengthMs: round(ended_ms - record.began_ms),
      letIn: record.letIn,
      capped: record.letIn > 40,
    });
    for (record.letIn += chance.integer(1, 30); record.until_ms < this.now_ms; record.letIn += chance.integer(1, 30)) {
      phases.push(told(record.until_ms));
      const until_ms = record.until_ms + options.phase_ms * chance.between(0.2, 1.8);
      Object.assign(record, { mode: 1 - record.mode, began_ms: record.until_ms, until_ms, letIn: 0 });
    }
    const waiting = chance.integer(0, 24);
    return {
      key: record.key,
      type: record.kind.type,
      heat: round(record.heat * chance.between(0.8, 1.2)),
      trackedMs: options.frame_ms,
      operations: Math.round(record.heat * chance.between(0.02, 0.2)),
      conflicts: chance.integer(0, 12),
      waits: chance.integer(0, 12),
      waitMs: round(chance.between(0, 80)),
      natives: Math.round(record.heat / 40),
      nativeWaits: record.letIn % 3,
      nativeBreaks: record.letIn % 2,
      waiting,
      modes: [
        { mode: record.kind.modes[record.mode]!, holders: chance.integer(1, 30), waiting: 0 },
        { mode: record.kind.modes[1 - record.mode]!, holders: 0, waiting },
      ],
      phases,
      phase: told(this.now_ms),
      warranties: [],
    };
  }

  private latencies(commits: number): [number, number][] {
    const buckets = new Map<number, number>();
    for (let commit = 0; commit < commits; commit += 8) {
      const bucket = Math.min(LATENCY_BUCKETS - 2, Math.floor(20 + 10 * (this.chance.next() + this.chance.next()) ** 1.5));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + Math.min(8, commits - commit));
    }
    return [...buckets].sort(([one], [other]) => one - other);
  }

  private conflicts(): Conflict[] {
    const rows = Array.from({ length: this.options.conflicts }, (_, rank) => {
      const [holder, comer] = [TYPES[rank % TYPES.length]!, TYPES[(rank >> 2) % TYPES.length]!];
      return {
        holderLabel: LABELS[rank % LABELS.length]!,
        comerLabel: LABELS[(rank >> 3) % LABELS.length]!,
        holderOperation: `${holder.type}.${rank % 3 === 0 ? holder.read : holder.write}`,
        comerOperation: `${comer.type}.${comer.write}${rank >= 64 ? rank : ''}`,
        outcome: 'waited' as const,
        count: Math.ceil((this.chance.next() * 2_000) / (rank + 1)),
      };
    });
    return rows.sort((one, other) => other.count - one.count);
  }

  /** Chains: each waits for the previous one, or now and then for a transaction that does not wait. */
  private waiters(shard: number): Waiter[] {
    const { chance } = this;
    const base = this.transactions;
    const waiters = Array.from({ length: this.options.waiters }, (_, place): Waiter => {
      const { key, kind } = chance.pick(this.records[shard]!);
      const isChained = place > 0 && chance.chance(0.6);
      return {
        transaction: `t${shard}-${base + place}`,
        label: chance.pick(LABELS),
        key,
        operation: `${kind.type}.${kind.write}`,
        mode: kind.modes[0],
        cause: chance.pick(CAUSES),
        waitedMs: round(chance.between(0.1, 400)),
        blockers: [
          {
            transaction: `t${shard}-${isChained ? base + place - 1 : base + 500 + place}`,
            label: chance.pick(LABELS),
            operation: `${kind.type}.${kind.read}`,
            holds: chance.chance(0.8),
            voted: chance.chance(0.2),
            waits: isChained,
          },
        ],
        moreBlockers: chance.chance(0.1),
        warranty: null,
      };
    });
    return waiters.sort((one, other) => other.waitedMs - one.waitedMs);
  }

  private sample(shard: number): Sample {
    const { chance } = this;
    const isCommitted = chance.chance(0.6);
    const endedAgoMs = round(chance.between(0, this.options.frame_ms));
    const took_ms = chance.between(0.5, 40);
    const begunAgoMs = round(endedAgoMs + took_ms);
    return {
      transaction: `t${(this.transactions += 1)}`,
      label: chance.pick(LABELS),
      retries: chance.integer(0, 3),
      traced: true,
      begunAgoMs,
      votedAgoMs: isCommitted ? round(endedAgoMs + took_ms * 0.2) : null,
      endedAgoMs,
      outcome: isCommitted ? 'committed' : 'aborted',
      code: isCommitted ? '' : 'aborted',
      cause: isCommitted ? '' : 'wounded',
      warranted: 0,
      batchMembers: 0,
      stoodBack: '',
      operationsLeftOut: 0,
      requests: [0.9, 0.5].map((part) => ({ agoMs: round(endedAgoMs + took_ms * part), operations: [this.operation(shard)] })),
    };
  }

  private operation(shard: number): Sample['requests'][number]['operations'][number] {
    const { chance } = this;
    const { key, kind } = chance.pick(this.records[shard]!);
    const hasWaited = chance.chance(0.3);
    return {
      key,
      operation: `${kind.type}.${kind.write}`,
      verdict: hasWaited ? 'waited' : 'granted',
      beside: chance.integer(0, 20),
      waitedMs: hasWaited ? round(chance.between(0.1, 30)) : 0,
      blockingLabel: hasWaited ? chance.pick(LABELS) : '',
      blockingOperation: hasWaited ? `${kind.type}.${kind.read}` : null,
    };
  }
}
