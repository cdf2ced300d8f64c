// All shards on one time axis. While there are viewers, the reports of this gateway's shard and of the other shards are merged into
// one frame for all viewers, several times a second. Nothing is queued: a viewer that is not ready for a frame misses it. The JSON
// text of a shard is not parsed on the way. With a history, shards also report while there is no viewer, once a second.
//
// The axis is this gateway's wall clock. It is read once a frame; the reports before it are placed by the steady clock, so that two
// shards never appear apart because one report arrived late.
//
// Shards that join later are added while it runs. A shard whose owner changes keeps its place: its stream is opened again at the new address.
import type { Environment } from '@claret/client';
import { TELEMETRY_VERSION } from '@claret/client/telemetry';
import type { Conditions, MovingSlots, SlotOwner, WelcomeMessage } from '@claret/client/telemetry';
import { GatewayError } from '../errors.ts';
import type { Overview } from '../replication/overview.ts';
import { shardEnvironment } from '../store/environment.ts';
import { frameRest } from './frame-text.ts';
import type { ShardReport } from './frame-text.ts';
import { History } from './history.ts';
import { readChange } from './marks.ts';
import type { Marks } from './marks.ts';
import { readGiving } from './giving.ts';
import { FRAMES_PER_SECOND, FRAME_EVERY_MS, MERGE_AFTER_MS, PENDING_FRAMES_MAX, SILENT_AFTER_MS } from './pace.ts';
import { PeerTelemetry } from './peer-telemetry.ts';
import type { OpenTelemetry } from './peer-telemetry.ts';
import type { ShardFrame, ShardTelemetry } from './shard-telemetry.ts';
import { Ticker } from './ticker.ts';

export const VIEWERS_MAX = 64;

/** A FrameMessage as JSON text from its `at_ms` on, made once for all viewers; the head before it differs for each (frame-text.ts). */
export interface MergedFrame {
  readonly text: string;
  /** the text as UTF-8 */
  readonly bytes: Buffer;
}

/** Implemented once, since a viewer knows the telemetry that it leaves. */
export interface Viewer {
  /** Must not block. */
  take(frame: MergedFrame): void;
  /** The gateway closes. */
  close(): void;
}

/** One shard's telemetry, wherever the shard runs. */
interface Source {
  shard: number;
  pending: { text: string; atMs: number }[];
  heardMs: number;
  /** the move in which the shard gives slots away, as it said last */
  giving: MovingSlots | null;
  start(isLive: boolean): void;
  stop(): void;
}

export interface ClusterTelemetryDependencies {
  shard: number;
  own: ShardTelemetry;
  /** by shard, those that are known at first; undefined for this gateway's own */
  peers: readonly (OpenTelemetry | undefined)[];
  marks: Marks;
  conditions(): Conditions;
  /** the conditions with which the gateway was started */
  normal?: Conditions;
  /** the length of the history kept for pages that open later; nothing by default */
  historyMs?: number;
  /** all shards, in order */
  slotOwners(): SlotOwner[];
  /** absent in a cluster that is not replicated */
  replication?: Pick<Overview, 'describe' | 'isTakeOver'> | undefined;
  environment?: Environment;
}

export class ClusterTelemetry {
  readonly marks: Marks;
  private readonly dependencies: ClusterTelemetryDependencies;
  private readonly environment: Environment;
  private readonly sources: Source[];
  private readonly ticker: Ticker;
  private readonly viewers = new Set<Viewer>();
  private readonly history: History;
  private isClosed = false;

  constructor(dependencies: ClusterTelemetryDependencies) {
    this.dependencies = dependencies;
    this.marks = dependencies.marks;
    this.environment = dependencies.environment ?? shardEnvironment;
    const { historyMs: length_ms = 0, conditions } = dependencies;
    this.history = new History({ length_ms, conditions });
    this.sources = dependencies.peers.map((open, shard) => (open === undefined ? this.ownSource(shard) : this.peerSource(shard, open)));
    const ticks = { periodMs: FRAME_EVERY_MS, offsetMs: MERGE_AFTER_MS };
    this.ticker = new Ticker(ticks, this.environment, () => this.merge());
  }

  /** A further shard has joined: the frames contain it from now on. REQUIRES: its number is the next one. */
  addShard(open: OpenTelemetry): void {
    const source = this.peerSource(this.sources.length, open);
    this.sources.push(source);
    if (this.ticker.running) this.startSource(source, this.viewers.size > 0);
  }

  /** Identifies this run of the gateway; a viewer that lost its stream reconnects with it. */
  get runId(): string {
    return `${this.dependencies.shard}-${this.dependencies.own.incarnation}`;
  }

  /** A viewer has reconnected that saw run `runId`: if that is an earlier run of this gateway, the gateway has restarted since. */
  cameBack(runId: string): void {
    const {
      shard,
      own: { incarnation, startedMs },
    } = this.dependencies;
    const [, seen, run] = /^(\d{1,3})-(\d{1,15})$/.exec(runId) ?? [];
    if (Number(seen) === shard && Number(run) < incarnation) this.restarted(shard, incarnation, startedMs);
  }

  /** Throws too_many_viewers. */
  refuseWhenFull(): void {
    if (this.viewers.size >= VIEWERS_MAX) {
      throw new GatewayError('too_many_viewers', `This gateway has ${VIEWERS_MAX} viewers, as many as it takes.`);
    }
  }

  welcome(): WelcomeMessage {
    return {
      kind: 'welcome',
      version: TELEMETRY_VERSION,
      at_ms: this.environment.wallMs(),
      shards: this.sources.length,
      frames_per_second: FRAMES_PER_SECOND,
      conditions: this.dependencies.conditions(),
      ...(this.dependencies.normal && { normal: this.dependencies.normal }),
      marks: this.marks.recent(),
    };
  }

  /** Returns a function that detaches the viewer. Throws too_many_viewers. */
  attach(viewer: Viewer): () => void {
    this.refuseWhenFull();
    if (this.viewers.size === 0) this.start(true);
    this.viewers.add(viewer);
    // Reports from before belong to the history, not to this viewer's first frame.
    this.history.flush();
    return () => {
      if (this.viewers.delete(viewer) && this.viewers.size === 0) this.rest();
    };
  }

  /** Begins to keep the history, if one is configured. */
  keepHistory(): void {
    if (this.history.isKept && this.viewers.size === 0) this.start(false);
  }

  /** The history as lines of a recording, with frames after `since_ms` only. Null: no history is kept. */
  recording(since_ms = 0): Iterable<Buffer> | null {
    return this.history.isKept ? this.history.lines(this.welcome(), since_ms) : null;
  }

  close(): void {
    this.isClosed = true;
    for (const viewer of this.viewers) viewer.close();
    this.viewers.clear();
    this.stop();
  }

  private start(isLive: boolean): void {
    for (const source of this.sources) this.startSource(source, isLive);
    this.ticker.start();
  }

  private startSource(source: Source, isLive: boolean): void {
    source.heardMs = this.environment.monotonicMs();
    source.start(isLive);
  }

  /** The last viewer has left. */
  private rest(): void {
    if (this.history.isKept && !this.isClosed) this.start(false);
    else this.stop();
  }

  private stop(): void {
    this.ticker.stop();
    for (const source of this.sources) {
      source.stop();
      source.pending.length = 0;
    }
  }

  private ownSource(shard: number): Source {
    let end = () => {};
    const source: Source = {
      shard,
      pending: [],
      heardMs: 0,
      giving: null,
      start: (isLive) => {
        const endOld = end;
        end = this.dependencies.own.listen((frame) => this.hear(source, frame), isLive);
        endOld(); // not earlier: without a listener the shard would drop its statistics
      },
      stop: () => end(),
    };
    return source;
  }

  private peerSource(shard: number, open: OpenTelemetry): Source {
    const peer = new PeerTelemetry(
      open,
      {
        onFrame: (text, atMs, giving) => this.hear(source, { text, atMs, giving }),
        onMark: (id, text, atMs) => {
          const what = readChange(text);
          if (what !== null) this.marks.hear(id, what, atMs);
        },
        onRestart: (incarnation, atMs) => this.restarted(shard, incarnation, atMs),
      },
      this.environment,
    );
    const [start, stop] = [(isLive: boolean) => peer.start(isLive), () => peer.stop()];
    const source: Source = { shard, pending: [], heardMs: 0, giving: null, start, stop };
    return source;
  }

  private restarted(shard: number, incarnation: number, atMs: number): void {
    if (this.dependencies.replication?.isTakeOver(shard, incarnation)) return;
    this.marks.hear(restartId(shard, incarnation), { shard_restarted: shard }, atMs);
  }

  private hear(source: Source, { text, atMs, giving }: ShardFrame): void {
    source.heardMs = this.environment.monotonicMs();
    source.giving = readGiving(giving);
    source.pending.push({ text, atMs });
    if (source.pending.length > PENDING_FRAMES_MAX) source.pending.shift();
  }

  private merge(): void {
    const nowMs = this.environment.monotonicMs();
    const wallMs = this.environment.wallMs();
    const reports: ShardReport[] = this.sources.flatMap(({ shard, pending }) =>
      pending.splice(0).map(({ text, atMs }) => ({ shard, at_ms: wallMs - Math.max(0, nowMs - atMs), text })),
    );
    const replication = this.dependencies.replication?.describe();
    const moves = this.sources.flatMap(({ giving }) => giving ?? []);
    const slots = { shards: this.dependencies.slotOwners(), moves };
    this.history.take(wallMs, reports, slots, replication);
    if (this.viewers.size === 0) return;
    const silent = this.sources.filter(({ heardMs }) => nowMs - heardMs > SILENT_AFTER_MS).map(({ shard }) => shard);
    const text = frameRest({ at_ms: wallMs, reports, silent, replication, slots });
    const frame = { text, bytes: Buffer.from(text) };
    for (const viewer of this.viewers) viewer.take(frame);
  }
}

/** The same id at every gateway that notices the restart. */
const restartId = (shard: number, incarnation: number): string => `restarted-${shard}-${incarnation}`;
