// Inputs: whether the bytes of Redis clients are read now. A client's socket is paused while the core does not want its bytes, and while much of
// what it has sent waits in the host: within one turn of the event loop a socket gives more than the core is given.

/** Where a client's bytes come from. */
export interface Source {
  /** Nothing more is to come until `resume`; what has been read already may. */
  pause(): void;
  resume(): void;
}

/** A client with so many bytes in the host is read no further until fewer are left. */
export const WAITING_BYTES_MAX = 256 * 1024;

interface Input {
  source: Source;
  waitingBytes: number;
}

export class Inputs {
  private readonly wantsInput: (peer: number) => boolean;
  private readonly inputs = new Map<number, Input>();
  private readonly paused = new Map<number, Input>();

  /** `wantsInput`: of the core */
  constructor(wantsInput: (peer: number) => boolean) {
    this.wantsInput = wantsInput;
  }

  /** There are no Redis clients. */
  get isEmpty(): boolean {
    return this.inputs.size === 0;
  }

  add(peer: number, source: Source): void {
    this.inputs.set(peer, { source, waitingBytes: 0 });
  }

  delete(peer: number): void {
    this.inputs.delete(peer);
    this.paused.delete(peer);
  }

  has(peer: number): boolean {
    return this.inputs.has(peer);
  }

  /** Bytes of the peer wait for the core now. Peers that are no Redis clients are ignored here and below. */
  came(peer: number, { length }: Uint8Array): void {
    const input = this.inputs.get(peer);
    if (input === undefined) return;
    input.waitingBytes += length;
    if (input.waitingBytes >= WAITING_BYTES_MAX) this.pause(peer, input);
  }

  /** The core was given frames, and gave what it had to say: frames[i] was from peers[i]. */
  processed(peers: readonly number[], frames: readonly Uint8Array[]): void {
    if (this.isEmpty) return;
    for (const [at, peer] of peers.entries()) {
      const input = this.inputs.get(peer);
      if (input === undefined) continue;
      input.waitingBytes -= frames[at]!.length;
      if (!this.wantsInput(peer)) this.pause(peer, input);
    }
    this.resume();
  }

  /** Reads on, wherever the core wants it again. */
  resume(): void {
    for (const [peer, { source, waitingBytes }] of this.paused) {
      if (waitingBytes >= WAITING_BYTES_MAX || !this.wantsInput(peer)) continue;
      this.paused.delete(peer);
      source.resume();
    }
  }

  private pause(peer: number, input: Input): void {
    if (this.paused.has(peer)) return;
    this.paused.set(peer, input);
    input.source.pause();
  }
}
