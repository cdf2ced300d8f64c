// ShardHost: owns the shard core, passes it the frames of all peers and sends its replies.
//
// In each turn of the event loop it makes one `process` call with the frames that have arrived, and then drains the core's output for each
// peer. A turn processes at most about TURN_BYTES, so that the replies to the first frames are sent, and their peers can continue, while
// the rest is processed; otherwise a busy client and its shard would alternate between working and sleeping. JavaScript never parses an
// operation. The host also calls the core when one of its deadlines is due.
//
// After a frame the loop stays awake for a while (store/polling.ts).
// With a log, the entries of a turn are appended before the turn's frames are sent; the core itself holds replies back until their entries
// are durable. Such a host must be restored from the log (`restoreCheckpoint`, `restore`, `restored`) before a peer is connected. Its
// checkpoints are taken by store/checkpointer.ts.
//
// A Redis client is a peer too: its frames are the bytes of its socket, which are read as far as the core wants them (store/inputs.ts). Where the
// addon has the sockets, its bytes do not come here (store/sockets-host.ts).
import type { Environment, Timer } from '@claret/client';
import { Shard } from '@claret/core';
import type { Conditions, Conflict, Counters, ListedWarranty, RespNode, RespSockets, WantedLink } from '@claret/core';
import type { Log } from '../log/log.ts';
import { CutsHost } from './cuts-host.ts';
import { DurableEnd } from './durable-end.ts';
import { shardEnvironment } from './environment.ts';
import { Inputs, type Source } from './inputs.ts';
import { MovingHost } from './moving-host.ts';
import { Polling } from './polling.ts';
import type { PeerLink, ShardHostDependencies, ShardHostOptions } from './shard-host-options.ts';
import { SocketsHost } from './sockets-host.ts';
import { SpreadingHost } from './spreading-host.ts';
import { TypesHost } from './types-host.ts';

export type { PeerLink, ShardHostDependencies, ShardHostOptions };

interface Peer {
  link: PeerLink;
  /** runs while the link takes nothing; drops the stream of a peer that does not read */
  blocked: Timer | undefined;
  /** the core has output for a peer that is blocked, or that gets none without a lease */
  waiting: boolean;
}

const TURN_BYTES = 1024;
/** A byte of a Redis client makes less work than one of a frame. */
const REDIS_WEIGHT = 1 / 16;
/** the maximum of setTimeout; no deadline of the core is that far away */
const SLEEP_MS_MAX = 2 ** 31 - 1;

export class ShardHost {
  /** Called after a turn in which the core wants streams to other shards (Shard.wantedShards). */
  onWantedShards: (shards: number[]) => void = () => {};
  /** Called after a turn in which the core wants streams to other shards' doors (Shard.wantedLinks). */
  onWantedLinks: (links: WantedLink[]) => void = () => {};
  /** of the turns made here */
  private readonly own = { longTurns: 0, coreMs: 0, polledMs: 0 };
  readonly cuts: CutsHost;
  readonly moving: MovingHost;
  readonly spreading: SpreadingHost;
  readonly types: TypesHost;

  private readonly shard: Shard;
  private readonly environment: Environment;
  private readonly log: Pick<Log, 'append'> | undefined;
  private readonly answersUntilMs: (() => number) | undefined;
  private readonly wallMsLeast: () => number;
  private readonly peersById = new Map<number, Peer>();
  /** of the Redis clients */
  private readonly inputs: Inputs;
  private hasDoor = false;
  private readonly polling: Polling;
  private readonly sockets: SocketsHost;
  private readonly blockedMsMax: number;
  private alone: boolean;
  private lastPeer = 0;
  private peers: number[] = [];
  private frames: Uint8Array[] = [];
  private due = false;
  private looping = false;
  private closed = false;
  private timer: Timer | undefined;
  private tickedMs = 0;
  private usefulBefore = false;
  private readonly firstConditions: Conditions;
  private readonly durableEnd = new DurableEnd();

  constructor(options: ShardHostOptions, dependencies: ShardHostDependencies = {}) {
    const { pollMicroseconds, conditions, ...shardOptions } = options;
    const { environment = shardEnvironment, log, answersUntilMs } = dependencies;
    const { wallMsLeast = () => 0, createShard = (all) => new Shard(all) } = dependencies;
    this.environment = environment;
    this.log = log;
    this.answersUntilMs = answersUntilMs;
    this.wallMsLeast = wallMsLeast;
    this.shard = createShard({ ...shardOptions, logged: log !== undefined });
    this.inputs = new Inputs((peer) => this.shard.wantsInput(peer));
    this.firstConditions = conditions;
    this.polling = new Polling(pollMicroseconds / 1000);
    this.blockedMsMax = options.sessionLeaseMs;
    this.alone = options.shards === 1;
    this.cuts = new CutsHost(this.shard, () => this.keepLog());
    this.moving = new MovingHost({
      shard: this.shard,
      environment,
      stepped: () => {
        this.keepLog();
        this.wake();
      },
      durable: (position) => (log === undefined ? Promise.resolve() : this.durable(position)),
    });
    this.spreading = new SpreadingHost(this.shard, environment, () => this.wake());
    this.types = new TypesHost(this.shard, environment, () => this.wake());
    this.sockets = new SocketsHost({
      shard: this.shard,
      environment,
      pollMs: pollMicroseconds / 1000,
      blockedMs: this.blockedMsMax,
      answersUntilMs,
      connect: (link) => this.addPeer({ ...link, write: () => true }),
      hangUp: (peer) => this.hangUp(peer),
      disconnect: (peer) => this.disconnect(peer),
      turned: (peers) => this.turned(peers),
      wake: () => this.wake(),
    });
    if (log === undefined) this.setConditions(conditions);
  }

  /** Restores pairs of the checkpoint, piece by piece in the order of their keys. Throws if they are damaged or of another shard. */
  restoreCheckpoint(pairs: Uint8Array): void {
    this.shard.restoreCheckpoint(pairs);
  }

  /** Restores the entries after the checkpoint, piece by piece in order. Throws as `restoreCheckpoint` does. */
  restore(entries: Uint8Array): void {
    this.shard.restore(entries);
  }

  /**
   * Completes the restore; peers may be connected from now on. Must be called for an empty log too. `incarnation`: of this start, if
   * ShardHostOptions.incarnation is 0.
   */
  restored(incarnation?: number): void {
    const wallMs = Math.max(this.environment.wallMs(), this.wallMsLeast());
    this.shard.restored(wallMs, this.environment.monotonicMs(), incarnation);
    this.setConditions(this.firstConditions);
    this.keepLog();
  }

  /** A peer's stream has opened. Returns the peer's number. */
  connect(link: PeerLink): number {
    const peer = this.addPeer(link);
    this.shard.connect(peer, this.environment.wallMs(), this.environment.monotonicMs());
    return peer;
  }

  /** Connects a stream that this gateway opened to another shard. */
  connectShard(link: PeerLink, shard: number): number {
    const peer = this.connect(link);
    this.shard.bindShard(peer, shard);
    return peer;
  }

  /** Opens the Redis door (Shard.openDoor): Redis clients may be connected from now on. REQUIRES: the host is restored. */
  openDoor(password: string, redirect: boolean): void {
    this.shard.openDoor({ password, redirect, spreads: true });
    this.hasDoor = true;
  }

  /** Who serves which slots, and where its door is (Shard.setRespNodes). */
  setRespNodes(nodes: RespNode[], own: number): void {
    this.shard.setRespNodes(nodes, own);
    this.wake();
  }

  /** A Redis client's socket has opened, between these addresses (host:port). Returns the peer's number. REQUIRES: the door is open. */
  connectResp(link: PeerLink & Source, address: string, localAddress: string): number {
    const peer = this.addPeer(link);
    this.inputs.add(peer, link);
    this.shard.connectResp(peer, address, localAddress, this.environment.wallMs(), this.environment.monotonicMs());
    return peer;
  }

  /** From now on the Redis clients of these sockets are peers; `opened` is called for each that comes. REQUIRES: the door is open. */
  serveSockets(sockets: RespSockets, opened: () => void): void {
    this.sockets.serve(sockets, opened);
  }

  /** Connects a stream to another shard's door that the core has wanted under this number. */
  connectLink(stream: PeerLink & Source, link: number): number {
    const peer = this.addPeer(stream);
    this.inputs.add(peer, stream);
    this.shard.connectLink(peer, link, this.environment.wallMs(), this.environment.monotonicMs());
    return peer;
  }

  /**
   * The peer has sent its last frame, and still reads: it gets the answers that need nothing but the log, as far as that makes them durable
   * within the lease. Then its session ends.
   */
  async hangUp(peer: number): Promise<void> {
    if (!this.peersById.has(peer)) return;
    this.deliver(Infinity);
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => (timer = this.environment.setTimeout(resolve, this.blockedMsMax)));
    if (this.log !== undefined) await Promise.race([this.durable(this.shard.logPosition()), late]);
    this.environment.clearTimeout(timer);
    this.peersById.get(peer)?.link.end();
    this.disconnect(peer);
  }

  receive(peer: number, frame: Uint8Array): void {
    if (!this.peersById.has(peer)) return;
    this.inputs.came(peer, frame);
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
    if (this.inputs.has(peer)) this.goOn();
  }

  /** Replies may leave again. */
  leaseRenewed(): void {
    for (const [number, { waiting, blocked }] of this.peersById) if (waiting && blocked === undefined) this.flush(number);
    this.sockets.flush();
    if (!this.inputs.isEmpty) this.goOn();
  }

  /** The stream has closed. May be called more than once. */
  disconnect(peer: number): void {
    const known = this.peersById.get(peer);
    if (!known) return;
    this.environment.clearTimeout(known.blocked);
    this.peersById.delete(peer);
    this.inputs.delete(peer);
    this.deliver(Infinity); // the frames that it sent before count
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

  /** Nothing can be made durable at present; null: it can again (Shard.refuseChanges). */
  refuseChanges(why: 'disk_full' | 'log_unavailable' | null): void {
    this.shard.refuseChanges(why, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
  }

  /** Shards whose clocks are too far from this one's (Shard.setSkewed). */
  setSkewed(shards: number[]): void {
    this.shard.setSkewed(shards);
  }

  /** The cluster has so many shards now. */
  setShards(count: number): void {
    this.shard.setShards(count);
    this.alone = this.alone && count === 1;
  }

  /** No more warranties, until conditions are set: the next start would have to wait for what they promise. */
  stopPromising(): void {
    this.setConditions({ ...this.conditions(), warranties: 'off' });
  }

  counters(): Counters {
    return this.shard.counters();
  }

  /** The number of turns of the core that took longer than 2 ms, the limit that it aims for; for /metrics, as what follows. */
  get longTurns(): number {
    return this.own.longTurns + this.sockets.counters().longTurns;
  }

  /** time in the core */
  get coreMs(): number {
    return this.own.coreMs + this.sockets.counters().coreMs;
  }

  /** time spent polling without a frame */
  get polledMs(): number {
    return this.own.polledMs + this.sockets.counters().polledMs;
  }

  /** Attempts are under way, or clients may still rely on warranties. */
  hasOpenWork(): boolean {
    const { attemptsInFlight, grantsStanding } = this.counters();
    return attemptsInFlight > 0 || grantsStanding > 0;
  }

  /** The table of conflicts; `dropped`: those for which it had no row left. */
  conflicts(): { rows: Conflict[]; dropped: number } {
    const { conflicts: rows, conflictsDropped: dropped } = this.shard.counters();
    return { rows, dropped };
  }

  /** The warranties that stand on the record (Shard.listWarranties), after they were recalled if that is asked for. */
  warranties(key: string, recall: boolean): ListedWarranty[] {
    const now = [this.environment.wallMs(), this.environment.monotonicMs()] as const;
    if (recall) {
      this.shard.recallWarranties(key, ...now);
      this.wake();
    }
    return this.shard.listWarranties(key, ...now);
  }

  /** Switches the shard's telemetry on or off. */
  observe(on: boolean): void {
    this.shard.observe(on, this.environment.wallMs(), this.environment.monotonicMs());
  }

  /** A telemetry frame as JSON text; null while telemetry is off. */
  takeTelemetry(): string | null {
    return this.shard.takeTelemetry(this.environment.wallMs(), this.environment.monotonicMs());
  }

  /** Resolves once the entry is durable. */
  durable(position: number): Promise<void> {
    return this.durableEnd.reaches(position);
  }

  /** Ends every session. The host must not be used again. */
  close(): void {
    this.closed = true;
    this.environment.clearTimeout(this.timer);
    for (const { link, blocked } of this.peersById.values()) {
      this.environment.clearTimeout(blocked);
      link.end();
    }
    this.peersById.clear();
  }

  /** Makes the core run in the next turn, even without a frame. */
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
    // The tick after a useful one sends what was written, so it does not count as polling.
    if (!useful && !this.usefulBefore) this.own.polledMs += nowMs - this.tickedMs;
    this.usefulBefore = useful;
    this.tickedMs = nowMs;
    if (this.due || this.polling.isAwake(nowMs)) {
      this.environment.setImmediate(this.tick);
      return;
    }
    this.polling.stop();
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
    if (this.frames.length > 0) this.polling.came(this.environment.monotonicMs());
    this.deliver(TURN_BYTES);
    // The core may split long work over several turns.
    if (this.frames.length > 0 || this.shard.nextDeadlineMs() <= this.environment.monotonicMs()) this.due = true;
    this.tellWants();
  }

  private tellWants(): void {
    if (this.alone) return;
    const wanted = this.shard.wantedShards();
    if (wanted.length > 0) this.onWantedShards(wanted);
    if (!this.hasDoor) return;
    const links = this.shard.wantedLinks();
    if (links.length > 0) this.onWantedLinks(links);
    this.spreading.tell();
  }

  private addPeer(link: PeerLink): number {
    const peer = ++this.lastPeer;
    this.peersById.set(peer, { link, blocked: undefined, waiting: false });
    this.wake();
    return peer;
  }

  /** Output of Redis clients has left: what had to wait for that goes on in the next turn. */
  private goOn(): void {
    this.inputs.resume();
    this.wake();
  }

  /** A turn of the core that was not made here is over. */
  private turned(peers: number[]): void {
    if (this.closed) return;
    this.sendAll(peers);
    if (!this.inputs.isEmpty) this.inputs.resume();
    this.tellWants();
  }

  private deliver(bytesMax: number): void {
    let bytes = 0;
    let count = 0;
    while (count < this.frames.length && bytes < bytesMax) {
      bytes += this.frames[count]!.length * (this.inputs.has(this.peers[count++]!) ? REDIS_WEIGHT : 1);
    }
    const peers = this.peers.splice(0, count);
    const frames = this.frames.splice(0, count);
    const startMs = this.environment.monotonicMs();
    const ready = this.shard.process(peers, frames, this.environment.wallMs(), startMs);
    const coreMs = this.environment.monotonicMs() - startMs;
    this.own.coreMs += coreMs;
    if (coreMs > 2) this.own.longTurns++;
    this.sendAll(ready);
    this.inputs.processed(peers, frames);
  }

  private sendAll(peers: number[]): void {
    this.keepLog();
    for (const peer of peers) this.flush(peer);
    this.sockets.flush();
  }

  private keepLog(): void {
    const entries = this.log === undefined ? null : this.shard.takeLog();
    if (entries !== null) this.log!.append(entries, this.shard.logPosition(), this.onDurable);
  }

  private readonly onDurable = (position: number): void => {
    if (this.closed) return;
    const ready = this.shard.durable(position, this.environment.wallMs(), this.environment.monotonicMs());
    for (const peer of ready) this.flush(peer);
    this.sockets.flush();
    this.inputs.resume();
    if (!this.looping) this.wake(); // a running loop checks the next deadline before it sleeps
    this.durableEnd.is(position);
  };

  private flush(number: number): void {
    const peer = this.peersById.get(number);
    if (!peer) return;
    peer.waiting =
      peer.blocked !== undefined || (this.answersUntilMs !== undefined && this.environment.monotonicMs() >= this.answersUntilMs());
    if (peer.waiting) return;
    let takesMore = peer.link.writeRest?.() ?? true;
    for (let frame; takesMore && (frame = this.shard.drain(number)) !== null;) takesMore = peer.link.write(frame);
    peer.waiting = !takesMore;
    if (!takesMore) peer.blocked = this.environment.setTimeout(() => peer.link.destroy(), this.blockedMsMax);
    else if (this.shard.closed(number)) peer.link.end();
  }
}
