// One shard's part of a backup, taken step by step as whoever asks for the backup says:
//
//   ready     a checkpoint is taken, so that few entries follow it, and none begins from now on: one that went on after the cut
//             would put later states among the earlier ones
//   prepare   the core forgets no commit from now on, and tells how far its clock has come
//   setCut    the core is told the time of the cut, which is still to come: it notes by itself where its log passes it
//   send      the clock passes the cut, if it has not; once all entries inside are durable: what the log has kept up to there, as
//             frames of the file (format.ts)
//
// A part whose next step does not come in time is given up, and so is one that is closed: the shard goes on as if nothing had been,
// and a step that was waited for fails.
import type { Environment, Timer } from '@claret/client';
import { deferred } from '../deferred.ts';
import type { KeptPiece } from '../log/log.ts';
import { shardEnvironment } from '../store/environment.ts';
import { Kind, encodeFrame, encodePiece, jsonPayload } from './format.ts';
import type { PartEnd } from './format.ts';

/** A shard that keeps a log, as a backup needs it. */
export interface CutShard {
  readonly shard: number;
  readonly shards: number;
  readonly incarnation: number;
  readonly clusterName: string;
  /** Takes a checkpoint; resolves with what lets further ones begin again, at once or later. Until then none is under way. Throws disk_full. */
  checkpointAndHold(): Promise<() => void>;
  prepareCut(): bigint;
  /** False: the clock has gone beyond. */
  setCut(at: bigint): boolean;
  cut(): number;
  callOffCut(): void;
  /** Resolves once the entry is durable. */
  durable(position: number): Promise<void>;
  /** What is kept at the moment of the call, up to that entry. */
  snapshot(position: number): AsyncIterable<KeptPiece>;
}

export interface PartReady {
  clusterName: string;
  shard: number;
  shards: number;
}

/** A shard's part, wherever the shard is. Each step is taken once the one before has been answered; any may throw. */
export interface Part {
  ready(): Promise<PartReady>;
  prepare(): Promise<bigint>;
  /** False: the clock has gone beyond; prepare all again. */
  setCut(at: bigint): Promise<boolean>;
  send(): AsyncIterable<Buffer>;
  /** May be called at any time, and again. */
  close(): void;
}

/** While it is prepared, or holds checkpoints off, it costs the shard memory and a longer restart. */
const PREPARED_MS_MAX = 10_000;
const HELD_MS_MAX = 10 * 60_000;
/** So long the last entry inside may take to become durable: longer on a full disk alone. */
const DURABLE_MS_MAX = 30_000;

export class ShardPart implements Part {
  private readonly shard: CutShard;
  private readonly onClose: () => void;
  private readonly environment: Environment;
  private state: 'new' | 'ready' | 'prepared' | 'set' | 'sending' | 'closed' = 'new';
  private letGo = () => {};
  private late: Timer | undefined;
  private readonly closed = deferred<never>();

  /** `onClose`: called once, when it is over. */
  constructor(shard: CutShard, onClose: () => void, environment: Environment = shardEnvironment) {
    this.shard = shard;
    this.onClose = onClose;
    this.environment = environment;
    this.closed.promise.catch(() => {}); // told to whoever waits for a step
  }

  async ready(): Promise<PartReady> {
    this.expect('new');
    const held = this.shard.checkpointAndHold();
    held.then(
      (letGo) => this.isClosed() && letGo(),
      () => {},
    ); // later than anybody waits for it
    this.letGo = await Promise.race([held, this.closed.promise]);
    if (this.isClosed()) this.letGo();
    this.expect('new');
    this.enter('ready', HELD_MS_MAX);
    const { clusterName, shard, shards } = this.shard;
    return { clusterName, shard, shards };
  }

  async prepare(): Promise<bigint> {
    this.expect('ready', 'prepared', 'set');
    this.enter('prepared', PREPARED_MS_MAX);
    return this.shard.prepareCut();
  }

  async setCut(at: bigint): Promise<boolean> {
    this.expect('prepared');
    if (!this.shard.setCut(at)) return false;
    this.enter('set', PREPARED_MS_MAX);
    return true;
  }

  async *send(): AsyncGenerator<Buffer> {
    this.expect('set');
    this.enter('sending', DURABLE_MS_MAX);
    const { shard, incarnation } = this.shard;
    const position = this.shard.cut();
    await Promise.race([this.shard.durable(position), this.closed.promise]);
    this.expect('sending');
    this.environment.clearTimeout(this.late);
    const kept = this.shard.snapshot(position)[Symbol.asyncIterator]();
    try {
      this.letGo();
      let number = 0;
      const sums: PartEnd = { records: 0, entries: 0 };
      yield encodeFrame(Kind.part, shard, number++, jsonPayload({ incarnation, position }));
      for (let next = await kept.next(); next.done !== true; next = await kept.next()) {
        this.expect('sending');
        if ('entries' in next.value) sums.entries += next.value.count;
        else sums.records += next.value.records;
        yield encodePiece(shard, number++, next.value);
      }
      yield encodeFrame(Kind.partEnd, shard, number, jsonPayload(sums));
    } finally {
      await kept.return?.(); // also where nobody wanted more than the first frame: while it is held, its disk space is
    }
    this.close();
  }

  close(): void {
    if (this.isClosed()) return;
    this.environment.clearTimeout(this.late);
    if (this.state === 'prepared' || this.state === 'set') this.shard.callOffCut();
    this.state = 'closed';
    this.letGo();
    this.closed.reject(new Error(`the part of shard ${this.shard.shard} was given up`));
    this.onClose();
  }

  private enter(state: 'ready' | 'prepared' | 'set' | 'sending', withinMs: number): void {
    this.state = state;
    this.environment.clearTimeout(this.late);
    this.late = this.environment.setTimeout(() => this.close(), withinMs);
  }

  private isClosed(): boolean {
    return this.state === 'closed';
  }

  private expect(...states: ShardPart['state'][]): void {
    if (!states.includes(this.state)) throw new Error(`a part of a backup that is ${this.state} cannot take this step`);
  }
}
