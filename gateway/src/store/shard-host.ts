// Owns the shard core: brings it the frames of all peers, and brings its answers back.
//
// One turn of the event loop = one `process` call with the frames that came in since, then one `drain` loop per peer
// that has output. A turn takes few bytes more than TURN_BYTES: answers to the first frames leave, and their peers go on,
// while the rest is worked on; else a busy client and its shard would take turns sleeping. JavaScript touches no
// operation. The host also keeps the core's time: it calls when a deadline is due.
//
// Polling: waking a sleeping event loop costs more than a frame's work, so after a frame the loop stays awake for
// `pollMicroseconds`, as long as that pays: once a run of polls has caught nothing, it sleeps until frames come close
// together again.
//
// With a log, each turn's entries are appended to it before the turn's frames leave; the core itself holds back what
// must wait until they are durable. Such a host is first fed with what the log has kept (`restoreCheckpoint`, `restore`,
// `restored`), and only then connected to anybody; its checkpoints are taken by store/checkpointer.ts.
import type { Environment, Timer } from '@claret/client';
import { Shard } from '@claret/core';
import type { Conditions, Counters, ShardOptions } from '@claret/core';
import type { Log } from '../log/log.ts';
import { shardEnvironment } from './environment.ts';

/** Where a peer's frames go. */
export interface PeerLink {
  /** False when nothing more should be written until the link calls `writable`. The frame is never touched again. */
  write(frame: Uint8Array): boolean;
  /** The session has ended: close the stream once what was written is out. */
  end(): void;
  /** The session has ended and its peer does not read: drop the stream. */
  destroy(): void;
}

interface Peer {
  link: PeerLink;
  /** runs while the link takes nothing: a peer that does not read is not waited for any longer */
  blocked: Timer | undefined;
  /** the core had more for it when it was blocked */
  waiting: boolean;
}

export interface ShardHostOptions extends Omit<ShardOptions, 'logged'> {
  pollMicroseconds: number;
  conditions: Conditions;
}

/** What surrounds a host; all of it has a default. */
export interface ShardHostGround {
  /** the real one */
  environment?: Environment;
  /** none: durability none, the shard starts empty; else nothing is appended to it before `restored` */
  log?: Pick<Log, 'append'> | undefined;
  /** the core's own */
  createShard?: (options: ShardOptions) => Shard;
}

const TURN_BYTES = 1024;
/** After this many polls in a row without a frame, polling pauses. */
const USELESS_POLLS_MAX = 16;
/** What setTimeout can hold; nothing in the core is due that late. */
const SLEEP_MS_MAX = 2 ** 31 - 1;

export class ShardHost {
  /** Called after a turn in which the core wants a stream to other shards (Shard.wantedShards). */
  onWantedShards: (shards: number[]) => void = () => {};
  /** How many `process` calls took longer than the 2 ms that the core promises, for /metrics. */
  longTurns = 0;
  /** Time within the core, for /metrics. */
  coreMs = 0;
  /** Time spent polling while nothing came, for /metrics. */
  polledMs = 0;

  private readonly shard: Shard;
  private readonly environment: Environment;
  private readonly log: Pick<Log, 'append'> | undefined;
  private readonly peersById = new Map<number, Peer>();
  private readonly pollMs: number;
  private readonly blockedMsMax: number;
  private readonly alone: boolean;
  private lastPeer = 0;
  private peers: number[] = [];
  private frames: Uint8Array[] = [];
  private due = false;
  private looping = false;
  private closed = false;
  private timer: Timer | undefined;
  private pollUntilMs = 0;
  private lastFrameMs = 0;
  private tickedMs = 0;
  private usefulBefore = false;
  private uselessPolls = 0;
  private readonly firstConditions: Conditions;
  private durablePosition = 0;
  private waitingForDurable: { position: number; resolve: () => void }[] = [];

  constructor(options: ShardHostOptions, ground: ShardHostGround = {}) {
    const { pollMicroseconds, conditions, ...shardOptions } = options;
    const { environment = shardEnvironment, log, createShard = (all) => new Shard(all) } = ground;
    this.environment = environment;
    this.log = log;
    this.shard = createShard({ ...shardOptions, logged: log !== undefined });
    this.firstConditions = conditions;
    this.pollMs = pollMicroseconds / 1000;
    this.blockedMsMax = options.sessionLeaseMs;
    this.alone = options.shards === 1;
    if (log === undefined) this.setConditions(conditions);
  }

  /** What checkpoints have kept, in order of keys, piece by piece. Throws where it is damaged or another shard's. */
  restoreCheckpoint(pairs: Uint8Array): void {
    this.shard.restoreCheckpoint(pairs);
  }

  /** The entries that no checkpoint covers, in order, piece by piece. Throws as `restoreCheckpoint` does. */
  restore(entries: Uint8Array): void {
    this.shard.restore(entries);
  }

  /** All that the log has kept has been fed: the shard stands again, and may be connected. Call it also for an empty log. */
  restored(): void {
    this.shard.restored(this.environment.wallMs(), this.environment.monotonicMs());
    this.setConditions(this.firstConditions);
    this.keepLog();
  }

  /** Of everything appended so far; none may be under way (Shard.beginCheckpoint). */
  beginCheckpoint(): void {
    this.keepLog();
    this.shard.beginCheckpoint();
  }

  /** As Shard.takeCheckpoint; the entries that the pairs depend on have been appended before. */
  takeCheckpoint(bytesMax: number): { pairs: Uint8Array; position: number } {
    this.keepLog();
    return this.shard.takeCheckpoint(bytesMax);
  }

  /** A peer's stream has opened; the answer is its number. */
  connect(link: PeerLink): number {
    const peer = ++this.lastPeer;
    this.peersById.set(peer, { link, blocked: undefined, waiting: false });
    this.shard.connect(peer, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
    return peer;
  }

  /** A stream that this gateway opened to another shard. */
  connectShard(link: PeerLink, shard: number): number {
    const peer = this.connect(link);
    this.shard.bindShard(peer, shard);
    return peer;
  }

  receive(peer: number, frame: Uint8Array): void {
    if (!this.peersById.has(peer)) return;
    this.peers.push(peer);
    this.frames.push(frame);
    this.wake();
  }

  /** The link takes frames again. */
  writable(peer: number): void {
    const known = this.peersById.get(peer);
    if (!known) return;
    this.environment.clearTimeout(known.blocked);
    known.blocked = undefined;
    if (known.waiting) this.flush(peer);
  }

  /** The stream is gone. May be called again. */
  disconnect(peer: number): void {
    const known = this.peersById.get(peer);
    if (!known) return;
    this.environment.clearTimeout(known.blocked);
    this.peersById.delete(peer);
    this.deliver(Infinity); // what it sent before it went counts
    this.shard.disconnect(peer, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
  }

  conditions(): Conditions {
    return this.shard.conditions();
  }

  setConditions(conditions: Conditions): void {
    this.shard.setConditions(conditions, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
  }

  /** Nothing can be made durable for now, or again (Shard.refuseChanges). */
  refuseChanges(on: boolean): void {
    this.shard.refuseChanges(on, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
  }

  /** Shards whose clocks are too far from this one's (Shard.setSkewed). */
  setSkewed(shards: number[]): void {
    this.shard.setSkewed(shards);
  }

  counters(): Counters {
    return this.shard.counters();
  }

  /** Somebody watches what the shard tells, or nobody does any more. */
  observe(on: boolean): void {
    this.shard.observe(on, this.environment.wallMs(), this.environment.monotonicMs());
  }

  /** A TelemetryFrame as JSON text; null while nobody watches. */
  takeTelemetry(): string | null {
    return this.shard.takeTelemetry(this.environment.wallMs(), this.environment.monotonicMs());
  }

  /** As the core's: a cut over all shards begins. Throws without a log. */
  prepareCut(): bigint {
    const reached = this.shard.prepareCut();
    this.keepLog();
    return reached;
  }

  /** As the core's; false: the clock has gone beyond. */
  setCut(at: bigint): boolean {
    const isSet = this.shard.setCut(at);
    this.keepLog();
    return isSet;
  }

  /** As the core's: the position. */
  cut(): number {
    const position = this.shard.cut();
    this.keepLog();
    return position;
  }

  callOffCut(): void {
    this.shard.callOffCut();
    this.keepLog();
  }

  /** Resolves once that entry is durable. */
  durable(position: number): Promise<void> {
    if (position <= this.durablePosition) return Promise.resolve();
    return new Promise((resolve) => this.waitingForDurable.push({ position, resolve }));
  }

  /** Ends every session. The host is not used again. */
  close(): void {
    this.closed = true;
    this.environment.clearTimeout(this.timer);
    for (const { link, blocked } of this.peersById.values()) {
      this.environment.clearTimeout(blocked);
      link.end();
    }
    this.peersById.clear();
  }

  /** The core runs in the next turn, whether a frame comes or not. */
  wake(): void {
    this.due = true;
    if (this.looping || this.closed) return;
    this.looping = true;
    this.environment.clearTimeout(this.timer);
    this.environment.setImmediate(this.tick);
  }

  private readonly tick = (): void => {
    if (this.closed) return;
    const useful = this.due || this.environment.monotonicMs() >= this.shard.nextDeadlineMs();
    if (useful) this.turn();
    const nowMs = this.environment.monotonicMs();
    // What is written leaves in the tick after it.
    if (!useful && !this.usefulBefore) this.polledMs += nowMs - this.tickedMs;
    this.usefulBefore = useful;
    this.tickedMs = nowMs;
    if (this.due || nowMs < this.pollUntilMs) {
      this.environment.setImmediate(this.tick);
      return;
    }
    if (this.pollUntilMs > 0) this.uselessPolls++;
    this.pollUntilMs = 0;
    this.looping = false;
    this.sleepUntil(this.shard.nextDeadlineMs(), nowMs);
  };

  private sleepUntil(deadlineMs: number, nowMs: number): void {
    if (deadlineMs === Infinity) return;
    const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, Math.ceil(deadlineMs - nowMs)));
    this.timer = this.environment.setTimeout(() => this.wake(), sleepMs);
  }

  private turn(): void {
    this.due = false;
    if (this.frames.length > 0) this.poll();
    this.deliver(TURN_BYTES);
    // The core leaves the rest of a big piece of work for the next turn.
    if (this.frames.length > 0 || this.shard.nextDeadlineMs() <= this.environment.monotonicMs()) this.due = true;
    if (this.alone) return;
    const wanted = this.shard.wantedShards();
    if (wanted.length > 0) this.onWantedShards(wanted);
  }

  private poll(): void {
    const nowMs = this.environment.monotonicMs();
    if (nowMs - this.lastFrameMs < 2 * this.pollMs) this.uselessPolls = 0;
    this.lastFrameMs = nowMs;
    this.pollUntilMs = this.uselessPolls < USELESS_POLLS_MAX ? nowMs + this.pollMs : 0;
  }

  private deliver(bytesMax: number): void {
    let bytes = 0;
    let count = 0;
    while (count < this.frames.length && bytes < bytesMax) bytes += this.frames[count++]!.length;
    const peers = this.peers.splice(0, count);
    const frames = this.frames.splice(0, count);
    const startMs = this.environment.monotonicMs();
    const ready = this.shard.process(peers, frames, this.environment.wallMs(), startMs);
    const coreMs = this.environment.monotonicMs() - startMs;
    this.coreMs += coreMs;
    if (coreMs > 2) this.longTurns++;
    this.keepLog();
    for (const peer of ready) this.flush(peer);
  }

  private keepLog(): void {
    const entries = this.log === undefined ? null : this.shard.takeLog();
    if (entries !== null) this.log!.append(entries, this.shard.logPosition(), this.onDurable);
  }

  private readonly onDurable = (position: number): void => {
    if (this.closed) return;
    const ready = this.shard.durable(position, this.environment.wallMs(), this.environment.monotonicMs());
    for (const peer of ready) this.flush(peer);
    if (!this.looping) this.wake(); // else the loop looks at the next deadline before it sleeps
    this.durablePosition = position;
    if (this.waitingForDurable.length === 0) return;
    const waiting = this.waitingForDurable;
    this.waitingForDurable = waiting.filter((one) => one.position > position);
    for (const one of waiting) if (one.position <= position) one.resolve();
  };

  private flush(number: number): void {
    const peer = this.peersById.get(number);
    if (!peer) return;
    peer.waiting = peer.blocked !== undefined;
    if (peer.waiting) return;
    for (;;) {
      const frame = this.shard.drain(number);
      if (frame === null) break;
      if (!peer.link.write(frame)) {
        peer.blocked = this.environment.setTimeout(() => peer.link.destroy(), this.blockedMsMax);
        peer.waiting = true;
        break;
      }
    }
    if (this.shard.closed(number)) peer.link.end();
  }
}
