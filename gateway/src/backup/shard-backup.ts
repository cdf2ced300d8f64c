// One shard's backup, driven step by step by the gateway that coordinates the backup of the cluster:
//
//   ready     takes a checkpoint, so that few entries follow it, and holds off the next one: a checkpoint that continued after the cut
//             would mix states from after the cut with those from before
//   prepare   the core forgets no commit from now on, and gives no slots away; returns the reading of its clock, and the shard's slots; waits
//             while a run of slots is between two shards, or members of epochs are undecided
//   setCut    gives the core the time of the cut, which lies ahead; the core notices by itself where its log passes it
//   send      the clock passes the cut, if it has not. Once all entries inside the cut are durable, the log's contents up to there are
//             sent as chunks of the file (format.ts)
//
// If the next step does not come in time, or the shard backup is closed, it is given up: the shard continues as before, and a pending
// step rejects.
import type { Environment, SlotRun, Timer } from '@claret/client';
import { deferred } from '../deferred.ts';
import type { Log } from '../log/log.ts';
import type { Checkpointer } from '../store/checkpointer.ts';
import type { CutsHost } from '../store/cuts-host.ts';
import type { MovingHost } from '../store/moving-host.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { shardEnvironment } from '../store/environment.ts';
import { Kind, encodeChunk, encodePiece, jsonPayload } from './format.ts';
import type { ShardEnd } from './format.ts';

/** A shard with a log, as a backup uses it. */
export interface BackupSource {
  readonly shard: number;
  readonly dealtShards: number;
  readonly incarnation: number;
  readonly clusterName: string;
  readonly host: Pick<ShardHost, 'durable'> & {
    readonly cuts: Pick<CutsHost, 'prepare' | 'set' | 'cut' | 'callOff'>;
    readonly moving: Pick<MovingHost, 'slots'>;
  };
  readonly log: Pick<Log, 'snapshot'>;
  readonly checkpointer: Pick<Checkpointer, 'checkpoint' | 'hold'>;
}

export interface ShardBackupReady {
  clusterName: string;
  shard: number;
  /** among which the slots were dealt at first */
  dealtShards: number;
}

export interface ShardBackupPrepared {
  /** the reading of the shard's clock */
  reached: bigint;
  /** those of the shard, until the cut */
  slots: readonly SlotRun[];
}

/** The backup of one shard, local or remote. A step is taken once the one before has been answered; each may throw. */
export interface ShardBackup {
  ready(): Promise<ShardBackupReady>;
  prepare(): Promise<ShardBackupPrepared>;
  /** False: the shard's clock is already past `at`; all shards must be prepared again. */
  setCut(at: bigint): Promise<boolean>;
  send(): AsyncIterable<Buffer>;
  /** May be called at any time, and more than once. */
  close(): void;
}

/** Bounded, since a prepared shard uses more memory, and one without checkpoints takes longer to restart. */
const PREPARED_MS_MAX = 10_000;
/** Between two tries while a run of slots moves: the last step of a move takes some milliseconds. */
const PREPARE_AGAIN_MS = 20;
const HELD_MS_MAX = 10 * 60_000;
/** Limit for the last entry inside the cut to become durable; only a full disk takes longer. */
const DURABLE_MS_MAX = 30_000;

export class LocalShardBackup implements ShardBackup {
  private readonly shard: BackupSource;
  private readonly onClose: () => void;
  private readonly environment: Environment;
  private state: 'new' | 'ready' | 'prepared' | 'set' | 'sending' | 'closed' = 'new';
  private releaseCheckpoints = () => {};
  private timeout: Timer | undefined;
  private readonly closed = deferred<never>();

  /** `onClose`: called once, at the end */
  constructor(shard: BackupSource, onClose: () => void, environment: Environment = shardEnvironment) {
    this.shard = shard;
    this.onClose = onClose;
    this.environment = environment;
    this.closed.promise.catch(() => {}); // a pending step reports it
  }

  async ready(): Promise<ShardBackupReady> {
    this.expect('new');
    const held = this.checkpointAndHold();
    held.then(
      (release) => this.isClosed() && release(), // closed while the checkpoint was being taken
      () => {},
    );
    this.releaseCheckpoints = await Promise.race([held, this.closed.promise]);
    if (this.isClosed()) this.releaseCheckpoints();
    this.expect('new');
    this.enter('ready', HELD_MS_MAX);
    const { clusterName, shard, dealtShards } = this.shard;
    return { clusterName, shard, dealtShards };
  }

  async prepare(): Promise<ShardBackupPrepared> {
    this.expect('ready', 'prepared', 'set');
    this.enter('prepared', PREPARED_MS_MAX);
    for (;;) {
      const reached = this.shard.host.cuts.prepare();
      if (reached !== null) return { reached, slots: this.shard.host.moving.slots() };
      const again = deferred<void>();
      this.environment.setTimeout(() => again.resolve(), PREPARE_AGAIN_MS);
      await Promise.race([again.promise, this.closed.promise]);
      this.expect('prepared');
    }
  }

  async setCut(at: bigint): Promise<boolean> {
    this.expect('prepared');
    if (!this.shard.host.cuts.set(at)) return false;
    this.enter('set', PREPARED_MS_MAX);
    return true;
  }

  async *send(): AsyncGenerator<Buffer> {
    this.expect('set');
    this.enter('sending', DURABLE_MS_MAX);
    const { shard, incarnation, host, log } = this.shard;
    const position = host.cuts.cut();
    await Promise.race([host.durable(position), this.closed.promise]);
    this.expect('sending');
    this.environment.clearTimeout(this.timeout);
    const kept = log.snapshot(position)[Symbol.asyncIterator]();
    try {
      this.releaseCheckpoints();
      let number = 0;
      const sums: ShardEnd = { records: 0, entries: 0 };
      yield encodeChunk(Kind.shardBegin, shard, number++, jsonPayload({ incarnation, position }));
      for (let next = await kept.next(); next.done !== true; next = await kept.next()) {
        this.expect('sending');
        if ('entries' in next.value) sums.entries += next.value.count;
        else sums.records += next.value.records;
        yield encodePiece(shard, number++, next.value);
      }
      yield encodeChunk(Kind.shardEnd, shard, number, jsonPayload(sums));
    } finally {
      await kept.return?.(); // also if the reader stopped after the first chunk: an open snapshot holds disk space
    }
    this.close();
  }

  close(): void {
    if (this.isClosed()) return;
    this.environment.clearTimeout(this.timeout);
    if (this.state === 'prepared' || this.state === 'set') this.shard.host.cuts.callOff();
    this.state = 'closed';
    this.releaseCheckpoints();
    this.closed.reject(new Error(`the backup of shard ${this.shard.shard} was given up`));
    this.onClose();
  }

  private async checkpointAndHold(): Promise<() => void> {
    const { checkpointer } = this.shard;
    await checkpointer.checkpoint();
    return checkpointer.hold();
  }

  private enter(state: 'ready' | 'prepared' | 'set' | 'sending', withinMs: number): void {
    this.state = state;
    this.environment.clearTimeout(this.timeout);
    this.timeout = this.environment.setTimeout(() => this.close(), withinMs);
  }

  private isClosed(): boolean {
    return this.state === 'closed';
  }

  private expect(...states: LocalShardBackup['state'][]): void {
    if (!states.includes(this.state)) throw new Error(`a shard backup that is ${this.state} cannot take this step`);
  }
}
