// ShardHost: drives one shard of the core in this process. It gathers the frames of a turn, passes them to the shard with the time,
// and drains its output.

import { Shard, type ShardOptions } from '@claret/core';
import type { Environment, Timer } from '../environment/environment.ts';
import type { LocalShard } from '../transport/local.ts';
import type { Link, LinkHandlers } from '../transport/transport.ts';

interface Peer {
  /** Delivers a frame to this peer. */
  deliver(frame: Uint8Array): void;
  /** The shard has ended the session. */
  end(): void;
}

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

  /** Breaks every session, as a broken network does. Frames that were sent but not processed are lost. */
  breakSessions(): void {
    this.#from = [];
    this.#frames = [];
    for (const [number, peer] of this.#peers) {
      this.disconnectPeer(number);
      peer.end();
    }
    this.#linked.clear();
  }

  /** The shard processes the frames of the next turn, but its answers are lost with the sessions. */
  breakInsteadOfAnswering(): void {
    this.#losesAnswers = true;
  }

  /** Ends all sessions and serves no more. */
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

  /** Opens this shard's own stream to another one, on which they settle the attempts of dead clients. */
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
