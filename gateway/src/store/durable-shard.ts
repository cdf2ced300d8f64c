// DurableShard: the host of a shard with its log, its checkpoints, and the handling of trouble with the log:
//
//   full, unavailable   Nothing can be written until there is space on the disk, or until most machines of a replicated log can be reached.
//                       The core refuses changes (`disk_full`, `log_unavailable`), appended entries wait, replies that depend on them are
//                       held, and other reads continue.
//   failed              The state of the disk is unknown, or another gateway has taken the log over. The process ends without another reply.
import type { FastifyBaseLogger } from 'fastify';
import type { BackupSource } from '../backup/shard-backup.ts';
import { GatewayError } from '../errors.ts';
import { REFUSALS } from '../log/log.ts';
import type { CommonLogOptions, Log, LogTrouble, OpenedLog } from '../log/log.ts';
import type { Ownership } from '../replication/ownership.ts';
import type { Seat } from '../replication/standby-gateway.ts';
import { CHECKPOINT_LIMITS, Checkpointer } from './checkpointer.ts';
import type { CheckpointLimits } from './checkpointer.ts';
import { shardEnvironment } from './environment.ts';
import { KnownLogs } from './known-logs.ts';
import { knownReplicatedLog, noteReplicatedLog, openLogOf } from './open-log-of.ts';
import type { LogChoice } from './open-log-of.ts';
import { Recovery } from './recovery.ts';
import type { RecoveryProgress } from './recovery.ts';
import { ShardHost } from './shard-host.ts';
import type { ShardHostOptions } from './shard-host.ts';

export interface DurableShardOptions {
  dataDir: string;
  clusterName: string;
  log: LogChoice;
  /** CheckpointLimits.replayBytesMax, intervalMs */
  checkpointBytes: number;
  checkpointMs: number;
  host: ShardHostOptions;
  logger: FastifyBaseLogger;
  /** called while the shard is being restored */
  onProgress: (progress: Readonly<RecoveryProgress>) => void;
  /** The log has failed for good; must end the process. */
  onFailed: (message: string) => void;
  onWrite: NonNullable<CommonLogOptions['onWrite']>;
}

const STALLED = {
  full: 'The disk is full: there is no checkpoint until there is room.',
  unavailable: 'The log is unavailable: there is no checkpoint until it is back.',
};
const REFUSED = {
  full: 'the disk is full: changes are refused until there is room',
  unavailable: 'the log is unavailable: changes are refused until most of its servers can be reached',
};

/** limits at shutdown; without the last checkpoint, the next start replays more */
const LAST_CHECKPOINT_MS = 30_000;
const LAST_WRITE_MS = 5_000;

export class DurableShard {
  readonly host: ShardHost;
  readonly logs: KnownLogs;
  /** the durable end of the own log */
  readonly point: OpenedLog['point'];
  readonly hasBeenAt: OpenedLog['hasBeenAt'];
  readonly checkpointer: Checkpointer;
  /** figures of the start */
  readonly recovered: Readonly<RecoveryProgress>;
  trouble: LogTrouble | null = null;
  /** of the log */
  readonly id: string;
  private readonly log: Log;
  private readonly options: DurableShardOptions;

  private constructor(options: DurableShardOptions, { host, opened: { log, id, point, hasBeenAt }, recovered }: Started) {
    const { dataDir, logger } = options;
    this.options = options;
    this.host = host;
    this.id = id;
    this.log = log;
    this.point = point;
    this.hasBeenAt = hasBeenAt;
    this.logs = new KnownLogs(dataDir, (why) =>
      logger.warn(`how far the other shards' logs have come is not noted: a loss there may go unnoticed (${why})`),
    );
    this.recovered = recovered;
    this.checkpointer = new Checkpointer({ host, log, environment: shardEnvironment, limits: limitsOf(options) });
    this.checkpointer.start();
  }

  /**
   * Restores the core from the log. `seat`: of the shard, if its log is replicated and it may have another owner one day. Throws LogRefused,
   * LogDamaged, and errors of the core.
   */
  static async open(options: DurableShardOptions, seat?: Pick<Seat, 'ownership' | 'follower'>): Promise<DurableShard> {
    const {
      clusterName,
      host: { shard, shards, incarnation },
      logger,
      onWrite,
    } = options;
    let early: LogTrouble | null = null;
    let onTrouble: CommonLogOptions['onTrouble'] = (trouble) => void (early = trouble);
    const common = { clusterName, shard, shards, incarnation, onWrite, onTrouble: (trouble: LogTrouble | null) => onTrouble(trouble) };
    const started = (seat && (await takeOver(options, seat, common))) ?? (await start(options, seat?.ownership, common));
    if (started.opened.cut !== null) logger.warn(started.opened.cut);
    logger.info(summary(started.recovered), 'restored');
    const shardWithLog = new DurableShard(options, started);
    onTrouble = (trouble) => shardWithLog.onTrouble(trouble);
    if (early !== null) shardWithLog.onTrouble(early);
    return shardWithLog;
  }

  /** Bytes of entries that a restart would replay. */
  get replayBytes(): number {
    return this.log.replayBytes;
  }

  /** Writes of the log that are not durable yet. */
  get inFlight(): number {
    return this.log.inFlight;
  }

  forBackup(): BackupSource {
    const {
      host,
      log,
      checkpointer,
      options: {
        clusterName,
        host: { shard, shards: dealtShards, incarnation },
      },
    } = this;
    return { shard, dealtShards, incarnation, clusterName, host, log, checkpointer };
  }

  /** Tries to take the last checkpoint of a shutdown. With it the next start has nothing to replay, and no reply waits for the log. */
  async checkpoint(): Promise<void> {
    const missing = await within(LAST_CHECKPOINT_MS, this.checkpointer.checkpoint({ hurry: true })).then(
      (inTime) => (inTime ? null : `it would take longer than ${LAST_CHECKPOINT_MS / 1000} s`),
      (error: Error) => error.message,
    );
    if (missing !== null)
      this.options.logger.warn(`there is no last checkpoint: the next start replays what it would have covered (${missing})`);
  }

  /** Tries to write what was appended. REQUIRES: the host is closed. */
  async close(): Promise<void> {
    this.checkpointer.close();
    await this.logs.close();
    const isClosed = await within(LAST_WRITE_MS, this.log.close());
    const { unstored } = this.log;
    const { logger, log } = this.options;
    if (unstored > 0) logger.error(notStored(unstored, log.kind === 'local' && log.durability === 'async'));
    else if (!isClosed) logger.warn('the log could not be closed in time: nothing is lost, and the next start checks it as after a crash');
  }

  private onTrouble(trouble: LogTrouble | null): void {
    const { logger, onFailed } = this.options;
    const before = this.trouble;
    this.trouble = trouble;
    if (trouble?.kind === 'failed') return onFailed(`${trouble.code}: ${trouble.message}`);
    this.host.refuseChanges(trouble && REFUSALS[trouble.kind]);
    this.checkpointer.stall(trouble && new GatewayError(REFUSALS[trouble.kind], STALLED[trouble.kind]));
    if (trouble !== null) logger.error(`${REFUSED[trouble.kind]} (${trouble.message})`);
    else if (before !== null) logger.warn('the log can be written again: changes are taken');
  }
}

/** A restored shard and its log, which continues. */
interface Started {
  host: ShardHost;
  opened: Omit<OpenedLog, 'kept'>;
  recovered: RecoveryProgress;
}

/** Opens the log and reads it. */
async function start(
  { dataDir, log: choice, host: hostOptions, onProgress }: DurableShardOptions,
  ownership: Ownership | undefined,
  common: CommonLogOptions,
): Promise<Started> {
  const beganAtMs = performance.now();
  const opened = await openLogOf(dataDir, choice, common, ownership?.owner.log || undefined);
  const { kept, sizes, log } = opened;
  const host = new ShardHost(hostOptions, {
    log,
    answersUntilMs: ownership && (() => ownership.untilMs),
    wallMsLeast: ownership && (() => ownership.wallMsLeast),
  });
  const recovery = new Recovery(beganAtMs, sizes.checkpointBytes + sizes.entriesBytes, onProgress);
  try {
    await recovery.run(host, kept);
  } catch (error) {
    await log.close();
    throw error;
  }
  return { host, opened, recovered: recovery.progress };
}

/** Continues what the seat's follower has restored. Undefined if it has restored nothing. */
async function takeOver(
  { dataDir }: DurableShardOptions,
  { ownership, follower }: Pick<Seat, 'ownership' | 'follower'>,
  common: CommonLogOptions,
): Promise<Started | undefined> {
  const beganAtMs = performance.now();
  const knownId = knownReplicatedLog(dataDir, common.shard, ownership.owner.log || undefined);
  const taken = await follower?.takeOver({ ...common, knownId });
  if (taken === undefined) return undefined;
  const { shard, opened, entries, bytes } = taken;
  try {
    noteReplicatedLog(dataDir, common.shard, opened.id);
    shard.start(opened.log, ownership);
  } catch (error) {
    await opened.log.close();
    throw error;
  }
  const milliseconds = performance.now() - beganAtMs;
  const recovered = { recordsLoaded: 0, entriesReplayed: entries, bytesRead: bytes, bytesTotal: bytes, milliseconds };
  return { host: shard.host, opened, recovered };
}

/** "May": a write that was under way may have succeeded. */
function notStored(entries: number, isAsync: boolean): string {
  const lost = isAsync
    ? 'their changes may be lost, also those that were acknowledged'
    : 'their changes, none of which was acknowledged, may be lost';
  return `the last ${entries} entries of the log could not be stored: ${lost}`;
}

function limitsOf({ checkpointBytes, checkpointMs }: DurableShardOptions): CheckpointLimits {
  const { replayBytesLeast, lookMs, sliceBytes } = CHECKPOINT_LIMITS;
  return {
    ...CHECKPOINT_LIMITS,
    replayBytesMax: checkpointBytes,
    intervalMs: checkpointMs,
    replayBytesLeast: Math.min(replayBytesLeast, checkpointBytes),
    lookMs: Math.min(lookMs, checkpointMs),
    sliceBytes: Math.min(sliceBytes, checkpointBytes),
  };
}

/** Fields for the log line. */
function summary({ recordsLoaded, entriesReplayed, bytesRead, milliseconds }: RecoveryProgress) {
  const seconds = milliseconds / 1000;
  return {
    records: recordsLoaded,
    entries: entriesReplayed,
    bytes: bytesRead,
    seconds: Number(seconds.toFixed(3)),
    records_per_second: seconds > 0 ? Math.round(recordsLoaded / seconds) : 0,
  };
}

/** Resolves with false if `work` takes longer than `ms`. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
