// All shards on one time axis: while anybody views, the own shard and the streams of the others are listened to, and put
// together into one frame for all viewers, a few times a second. Nothing is queued: a viewer that is not ready when a frame
// is, misses it. No shard's text is parsed on the way. Where a history is kept, shards are listened to all the time: in the
// background, once a second, while nobody views.
//
// The axis is this gateway's wall clock. It is read once for a frame; what the shards told before it is placed by the
// steady clock, so that two shards never stand apart because one was late to arrive.
import type { Environment } from '@claret/client';
import { TELEMETRY_VERSION } from '@claret/ui/telemetry';
import type { Conditions, WelcomeMessage } from '@claret/ui/telemetry';
import { GatewayError } from '../errors.ts';
import { shardEnvironment } from '../store/environment.ts';
import { readWhat } from './marks.ts';
import { History } from './history.ts';
import type { Told } from './history.ts';
import type { Marks } from './marks.ts';
import { FRAMES_PER_SECOND, FRAME_EVERY_MS, MERGE_AFTER_MS, PENDING_FRAMES_MAX, SILENT_AFTER_MS } from './pace.ts';
import { PeerTelemetry } from './peer-telemetry.ts';
import type { OpenTelemetry } from './peer-telemetry.ts';
import type { ShardTelemetry } from './shard-telemetry.ts';
import { Ticker } from './ticker.ts';

export const VIEWERS_MAX = 64;

/** A FrameMessage as JSON text from its `at_ms` on: what comes before is each viewer's own. Once for all of them. */
export interface MergedFrame {
  readonly text: string;
  /** the same */
  readonly bytes: Buffer;
}

export const frameHead = (number: number, missed: number): string => `{"kind":"frame","number":${number},"missed":${missed},`;

export interface Viewer {
  /** must not wait */
  take(frame: MergedFrame): void;
  /** the gateway closes */
  close(): void;
}

interface Teller {
  shard: number;
  pending: { text: string; atMs: number }[];
  heardMs: number;
  start(isLive: boolean): void;
  stop(): void;
}

export interface ClusterTelemetryParts {
  shard: number;
  own: ShardTelemetry;
  /** by shard; undefined for the own one */
  peers: (OpenTelemetry | undefined)[];
  marks: Marks;
  conditions(): Conditions;
  /** those that the gateway was started with */
  normal?: Conditions;
  /** how much of the past is kept for pages that open later; nothing by default */
  historyMs?: number;
  environment?: Environment;
}

export class ClusterTelemetry {
  readonly marks: Marks;
  private readonly parts: ClusterTelemetryParts;
  private readonly environment: Environment;
  private readonly tellers: Teller[];
  private readonly ticker: Ticker;
  private readonly viewers = new Set<Viewer>();
  private readonly history: History;
  private isClosed = false;

  constructor(parts: ClusterTelemetryParts) {
    this.parts = parts;
    this.marks = parts.marks;
    this.environment = parts.environment ?? shardEnvironment;
    const { historyMs: length_ms = 0, conditions } = parts;
    this.history = new History({ length_ms, shards: parts.peers.length, conditions });
    this.tellers = parts.peers.map((open, shard) => (open === undefined ? this.ownTeller(shard) : this.peerTeller(shard, open)));
    const ticks = { periodMs: FRAME_EVERY_MS, offsetMs: MERGE_AFTER_MS };
    this.ticker = new Ticker(ticks, this.environment, () => this.merge());
  }

  /** Names this run of the gateway: what a viewer that lost its stream comes back with. */
  get runId(): string {
    return `${this.parts.shard}-${this.parts.own.incarnation}`;
  }

  /** A viewer comes back that has seen that run: an earlier one of this gateway means that it has started anew meanwhile. */
  cameBack(runId: string): void {
    const {
      shard,
      own: { incarnation, startedMs },
    } = this.parts;
    const [, seen, run] = /^(\d{1,3})-(\d{1,15})$/.exec(runId) ?? [];
    if (Number(seen) !== shard || Number(run) >= incarnation) return;
    this.marks.hear(restartId(shard, incarnation), { shard_restarted: shard }, startedMs);
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
      shards: this.tellers.length,
      frames_per_second: FRAMES_PER_SECOND,
      conditions: this.parts.conditions(),
      ...(this.parts.normal && { normal: this.parts.normal }),
      marks: this.marks.recent(),
    };
  }

  /** Returns what ends it. Throws too_many_viewers. */
  attach(viewer: Viewer): () => void {
    this.refuseWhenFull();
    if (this.viewers.size === 0) this.start(true);
    this.viewers.add(viewer);
    // What this one is not shown is past.
    this.history.flush();
    return () => {
      if (this.viewers.delete(viewer) && this.viewers.size === 0) this.rest();
    };
  }

  /** From now on the past is kept, where it is to be. */
  keepHistory(): void {
    if (this.history.isKept && this.viewers.size === 0) this.start(false);
  }

  /** The past as lines of a recording; frames after `since_ms` only. Null: none is kept. */
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
    for (const teller of this.tellers) {
      teller.heardMs = this.environment.monotonicMs();
      teller.start(isLive);
    }
    this.ticker.start();
  }

  /** Nobody views any more. */
  private rest(): void {
    if (this.history.isKept && !this.isClosed) this.start(false);
    else this.stop();
  }

  private stop(): void {
    this.ticker.stop();
    for (const teller of this.tellers) {
      teller.stop();
      teller.pending.length = 0;
    }
  }

  private ownTeller(shard: number): Teller {
    let end = () => {};
    const teller: Teller = {
      shard,
      pending: [],
      heardMs: 0,
      start: (isLive) => {
        const endOld = end;
        end = this.parts.own.listen(({ text, atMs }) => this.hear(teller, text, atMs), isLive);
        endOld(); // not before: else the shard would forget what it has seen
      },
      stop: () => end(),
    };
    return teller;
  }

  private peerTeller(shard: number, open: OpenTelemetry): Teller {
    const peer = new PeerTelemetry(
      open,
      {
        onFrame: (text, atMs) => this.hear(teller, text, atMs),
        onMark: (id, text, atMs) => {
          const what = readWhat(text);
          if (what !== null) this.marks.hear(id, what, atMs);
        },
        onRestart: (incarnation, atMs) => this.marks.hear(restartId(shard, incarnation), { shard_restarted: shard }, atMs),
      },
      this.environment,
    );
    const teller: Teller = { shard, pending: [], heardMs: 0, start: (isLive) => peer.start(isLive), stop: () => peer.stop() };
    return teller;
  }

  private hear(teller: Teller, text: string, atMs: number): void {
    teller.heardMs = this.environment.monotonicMs();
    teller.pending.push({ text, atMs });
    if (teller.pending.length > PENDING_FRAMES_MAX) teller.pending.shift();
  }

  private merge(): void {
    const nowMs = this.environment.monotonicMs();
    const wallMs = this.environment.wallMs();
    const told: Told[] = this.tellers.flatMap(({ shard, pending }) =>
      pending.splice(0).map(({ text, atMs }) => ({ shard, at_ms: wallMs - Math.max(0, nowMs - atMs), text })),
    );
    this.history.take(wallMs, told);
    if (this.viewers.size === 0) return;
    const shards = told.map(({ shard, at_ms, text }) => `{"shard":${shard},"at_ms":${at_ms},"telemetry":${text}}`);
    const silent = this.tellers.filter(({ heardMs }) => nowMs - heardMs > SILENT_AFTER_MS).map(({ shard }) => shard);
    const text = `"at_ms":${wallMs},"shards":[${shards.join(',')}],"silent":[${silent.join(',')}]}`;
    const frame = { text, bytes: Buffer.from(text) };
    for (const viewer of this.viewers) viewer.take(frame);
  }
}

/** The same at whichever gateway notices it. */
const restartId = (shard: number, incarnation: number): string => `restarted-${shard}-${incarnation}`;
