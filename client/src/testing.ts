// A whole cluster in one process: real shards of the core, driven here, reached over transport/local. For the tests of
// the client, the gateway and the applications.

import { Shard, type ShardOptions } from '@claret/core';
import { connect, type Claret, type ConnectOptions } from './claret.ts';
import { systemEnvironment, type Environment, type Timer } from './environment.ts';
import { evenTopology } from './topology.ts';
import { LocalTransport, type LocalShard } from './transport/local.ts';
import type { Link, LinkHandlers } from './transport.ts';

export { freshSeed, randomFrom, type Random } from './testing-random.ts';

interface Peer {
  /** a frame for this peer */
  deliver(frame: Uint8Array): void;
  /** the shard has ended the session */
  end(): void;
}

/** Drives one shard: gathers the frames of a turn, hands them in with the time, drains what comes out. */
export class ShardHost implements LocalShard {
  readonly shard: Shard;
  readonly number: number;
  readonly #environment: Environment;
  readonly #neighbours: (shard: number) => ShardHost | undefined;
  readonly #peers = new Map<number, Peer>();
  readonly #linked = new Set<number>();
  #nextPeer = 1;
  #from: number[] = [];
  #frames: Uint8Array[] = [];
  #scheduled = false;
  #timer: Timer | null = null;
  #losesAnswers = false;
  #stopped = false;

  constructor(options: ShardOptions, environment: Environment, neighbours: (shard: number) => ShardHost | undefined) {
    this.shard = new Shard(options);
    this.number = options.shard;
    this.#environment = environment;
    this.#neighbours = neighbours;
  }

  attach(handlers: LinkHandlers): Link {
    let open = true;
    const peer = this.connectPeer({
      deliver: (frame) => {
        if (open) handlers.onFrame(frame);
      },
      end: () => {
        if (!open) return;
        open = false;
        handlers.onClose();
      },
    });
    return {
      send: (bytes) => {
        if (open) this.take(peer, bytes);
        return open;
      },
      close: () => {
        open = false;
        this.disconnectPeer(peer);
      },
    };
  }

  connectPeer(peer: Peer): number {
    const number = this.#nextPeer++;
    if (this.#stopped) {
      this.#environment.setImmediate(() => peer.end());
      return number;
    }
    this.#peers.set(number, peer);
    this.shard.connect(number, this.#environment.wallMs(), this.#environment.monotonicMs());
    return number;
  }

  disconnectPeer(number: number): void {
    if (!this.#peers.delete(number)) return;
    this.shard.disconnect(number, this.#environment.wallMs(), this.#environment.monotonicMs());
    this.#schedule();
  }

  take(number: number, bytes: Uint8Array): void {
    if (!this.#peers.has(number)) return;
    this.#from.push(number);
    this.#frames.push(bytes);
    this.#schedule();
  }

  /** Every session breaks, as when the network does. What was sent but not processed is lost. */
  breakSessions(): void {
    this.#from = [];
    this.#frames = [];
    for (const [number, peer] of this.#peers) {
      this.disconnectPeer(number);
      peer.end();
    }
    this.#linked.clear();
  }

  /** The shard takes in the next turn's frames, but its answers are lost with the sessions. */
  breakInsteadOfAnswering(): void {
    this.#losesAnswers = true;
  }

  /** Nothing is served any more. */
  stop(): void {
    this.#stopped = true;
    this.breakSessions();
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    this.#environment.setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    if (this.#stopped) return;
    const from = this.#from;
    const frames = this.#frames;
    this.#from = [];
    this.#frames = [];
    const environment = this.#environment;
    const speaking = this.shard.process(from, frames, environment.wallMs(), environment.monotonicMs());
    if (this.#losesAnswers && frames.length > 0) {
      this.#losesAnswers = false;
      this.breakSessions();
    }
    for (const number of speaking) this.#drain(number);
    for (const shard of this.shard.wantedShards()) this.#linkTo(shard);
    this.#wakeUpAt(this.shard.nextDeadlineMs());
  }

  #drain(number: number): void {
    const peer = this.#peers.get(number);
    if (peer === undefined) return;
    for (let frame = this.shard.drain(number); frame !== null; frame = this.shard.drain(number)) peer.deliver(frame);
    if (!this.shard.closed(number)) return;
    this.disconnectPeer(number);
    peer.end();
  }

  #wakeUpAt(deadlineMs: number): void {
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
    if (deadlineMs === Infinity) return;
    const delayMs = deadlineMs - this.#environment.monotonicMs();
    if (delayMs <= 0) this.#schedule();
    else this.#timer = this.#environment.setTimeout(() => this.#turn(), delayMs);
  }

  /** A stream of this shard's own to another, to settle what a dead client left. */
  #linkTo(shard: number): void {
    const neighbour = this.#neighbours(shard);
    if (neighbour === undefined || this.#linked.has(shard)) return;
    this.#linked.add(shard);
    let there = 0;
    const here = this.connectPeer({ deliver: (frame) => neighbour.take(there, frame), end: () => neighbour.disconnectPeer(there) });
    there = neighbour.connectPeer({
      deliver: (frame) => this.take(here, frame),
      end: () => {
        this.#linked.delete(shard);
        this.disconnectPeer(here);
      },
    });
    this.shard.bindShard(here, shard);
    this.#schedule();
  }
}

export interface ClusterOptions {
  shards?: number;
  environment?: Environment;
  /** how far a shard's wall clock is ahead of the environment's; 0 by default */
  clockAheadMs?: (shard: number) => number;
  shardOptions?: Partial<ShardOptions>;
}

export interface InProcessCluster {
  /** A client of its own; close it, or let `stop` do so. */
  connect(options?: Partial<ConnectOptions>): Promise<Claret>;
  readonly hosts: readonly ShardHost[];
  /** the real thing, by number */
  readonly shards: readonly Shard[];
  readonly transport: LocalTransport;
  /** Loses the shard and all it holds, and starts it again, empty, with the next incarnation. */
  restart(shard: number): void;
  stop(): Promise<void>;
}

function clockAhead(environment: Environment, aheadMs: number): Environment {
  return {
    wallMs: () => environment.wallMs() + aheadMs,
    monotonicMs: () => environment.monotonicMs(),
    setImmediate: (callback) => environment.setImmediate(callback),
    setTimeout: (callback, delayMs) => environment.setTimeout(callback, delayMs),
    clearTimeout: (timer) => environment.clearTimeout(timer),
    randomBytes: (count) => environment.randomBytes(count),
    random: () => environment.random(),
  };
}

const address = (shard: number): string => `shard-${shard}`;

export async function inProcessCluster(options: ClusterOptions = {}): Promise<InProcessCluster> {
  const count = options.shards ?? 1;
  const environment = options.environment ?? systemEnvironment;
  const hosts: ShardHost[] = [];
  const byAddress = new Map<string, ShardHost>();
  const clients: Claret[] = [];
  const incarnations = new Array<number>(count).fill(0);
  const start = (shard: number) => {
    const shardOptions: ShardOptions = {
      shard,
      shards: count,
      incarnation: ++incarnations[shard]!,
      sessionLeaseMs: 5000,
      phaseCapMs: 2,
      woundDelayMs: 2,
      woundGraceMs: 20,
      idleMs: 1000,
      frameBytesMax: 4 * 1024 * 1024,
      outputBytesMax: 64 * 1024 * 1024,
      logged: false,
      ...options.shardOptions,
    };
    const aheadMs = options.clockAheadMs?.(shard) ?? 0;
    const own = aheadMs === 0 ? environment : clockAhead(environment, aheadMs);
    hosts[shard] = new ShardHost(shardOptions, own, (number) => hosts[number]);
    byAddress.set(address(shard), hosts[shard]);
  };
  for (let shard = 0; shard < count; shard++) start(shard);
  const addresses = hosts.map((host) => address(host.number));
  const topology = () => evenTopology(addresses);
  const transport = new LocalTransport({ shards: byAddress, topology });
  return {
    hosts,
    get shards() {
      return hosts.map((host) => host.shard);
    },
    transport,
    async connect(connectOptions = {}) {
      const client = await connect({ addresses, transport, environment, ...connectOptions });
      clients.push(client);
      return client;
    },
    restart(shard) {
      hosts[shard]!.stop();
      start(shard);
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      for (const host of hosts) host.stop();
    },
  };
}
