// Network: streams of frames between processes, with the faults of its weather. The frames of a stream are numbered, so that its
// ends can detect duplicates and losses; frames of a stream that one end has closed still arrive at the other. Sockets are streams of bytes, of
// which a beginning arrives, in any pieces.
import type { Chance } from '../../kit/random.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

/** Probabilities are per frame. */
export interface Weather {
  delayMs: readonly [least: number, most: number];
  /** some frames take much longer, and all behind them too */
  spike: number;
  spikeMs: number;
  loss: number;
  duplication: number;
  reordering: number;
  /** the stream breaks; each end may notice late, or not at all */
  breaking: number;
  /** the receiver accepts no more for a while */
  choking: number;
}

export const CALM: Weather = {
  delayMs: [0.05, 0.5],
  spike: 0,
  spikeMs: 50,
  loss: 0,
  duplication: 0,
  reordering: 0,
  breaking: 0,
  choking: 0,
};

export interface StreamHandlers {
  onFrame(frame: Uint8Array): void;
  onWritable(): void;
  /** called at most once, and nothing after it */
  onClose(error?: Error): void;
  /** The stream has arrived at the other end. */
  onOpen?(): void;
}

/** Delay after the previous frame in the same direction. */
const STEP_MS = 0.001;
const NOTICE_SOON_MS = 5;
const NOTICE_LATE_MS = 2_000;
/** Share of ends that never notice that a stream is broken, except by its silence. */
const NEVER_NOTICES = 0.3;

const LATE = 0.5;
const LATE_MS = 500;

/** The share of what is written to a socket that arrives in two pieces. */
const CUT = 0.2;

/** One end of a stream; frames sent here arrive at the other. */
export class StreamEnd {
  readonly node: SimulatedNode;
  readonly isSocket: boolean;
  handlers: StreamHandlers | null = null;
  other!: StreamEnd;
  /** closed by this end, or notified of the end */
  closed = false;
  broken = false;
  /** frames sent on the broken stream still arrive, this much later; null: never */
  lateMs: number | null = null;
  arrivesMs = 0;
  /** of a socket: what was sent here and has not arrived */
  readonly underWay: Uint8Array[] = [];
  readonly #network: Network;

  constructor(network: Network, node: SimulatedNode, isSocket: boolean) {
    this.#network = network;
    this.node = node;
    this.isSocket = isSocket;
  }

  /** False: wait for `onWritable` before sending more. */
  send(frame: Uint8Array): boolean {
    return this.closed || this.#network.send(this, frame);
  }

  /** Closes this end: it neither sends nor receives from now on. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#network.leave(this);
  }

  /** Notifies this end that the stream has ended. */
  end(error?: Error): void {
    if (this.closed) return;
    this.closed = true;
    this.#network.leave(this);
    this.handlers?.onClose(error);
  }
}

/** The listener at an address: accepts a new stream. */
export type Accept = (end: StreamEnd) => void;

interface Question {
  readonly asked: SimulatedNode;
  fail(): void;
}

export class Network {
  weather: Weather = CALM;
  readonly faults = { lost: 0, doubled: 0, reordered: 0, broken: 0, choked: 0 };
  readonly listeners = new Map<string, { node: SimulatedNode; accept: Accept }>();
  /** called with each frame before its receiver gets it */
  onDelivery: ((from: SimulatedNode, to: SimulatedNode, frame: Uint8Array) => void) | null = null;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #streams = new Set<StreamEnd>();
  readonly #questions = new Set<Question>();
  /** until when no frames pass from one process to another, by their names */
  readonly #partitions = new Map<string, number>();

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** Opens a stream from `node` to the process that listens at `address`, MACHINE or MACHINE:PORT, when it arrives there. */
  open(node: SimulatedNode, address: string, handlers: StreamHandlers, isSocket = false): StreamEnd {
    const near = new StreamEnd(this, node, isSocket);
    const machine = address.split(':')[0]!;
    near.handlers = handlers;
    const delayMs = this.#delayMs(node.name, machine);
    near.arrivesMs = node.nowMs + delayMs;
    this.#world.after(near.arrivesMs - this.#world.nowMs, () => {
      const listener = this.listeners.get(address);
      if (listener === undefined) {
        this.#world.after(this.#delayMs(machine, node.name), () => near.end(new Error(`nobody listens at ${address}`)), node);
        return;
      }
      this.#connect(near, listener.node);
      if (near.broken) return;
      const { onOpen } = handlers;
      if (onOpen !== undefined) this.#world.after(this.#delayMs(machine, node.name), () => near.closed || onOpen(), node);
      // If the process is stalled, the stream waits for it, and so do its frames.
      this.#world.after(0, () => listener.accept(near.other), listener.node);
    });
    return near;
  }

  /** Asks the process that listens at `address`, which calls `answer`. Rejects if there is none, if it dies, or if `answer` does. */
  ask<T>(node: SimulatedNode, address: string, answer: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const back = (tell: () => void) => void this.#world.after(this.#delayMs(address, node.name), tell, node);
      const fail = () => back(() => reject(new Error(`nobody answers at ${address}`)));
      this.#world.after(this.#delayMs(node.name, address), () => {
        const { node: asked } = this.listeners.get(address) ?? {};
        if (asked === undefined) return fail();
        const question = { asked, fail };
        this.#questions.add(question);
        const take = () => {
          void answered(answer).then((tell) => {
            if (!this.#questions.delete(question)) return;
            back(() => tell(resolve, reject));
          });
        };
        this.#world.after(0, take, asked);
      });
    });
  }

  #connect(near: StreamEnd, node: SimulatedNode): void {
    const far = new StreamEnd(this, node, near.isSocket);
    [near.other, far.other] = [far, near];
    for (const end of [near, far]) this.#streams.add(end);
    for (const frame of this.#early.get(near) ?? []) this.send(near, frame);
    this.#early.delete(near);
    if (near.closed) this.leave(near);
  }

  /** sent before the stream had arrived */
  readonly #early = new Map<StreamEnd, Uint8Array[]>();

  send(from: StreamEnd, frame: Uint8Array): boolean {
    const to = from.other;
    if (to === undefined) {
      const early = this.#early.get(from);
      if (early === undefined) this.#early.set(from, [frame]);
      else early.push(frame);
      return true;
    }
    const { weather, faults } = this;
    if (from.isSocket && !from.broken && this.#chance.happens(weather.breaking)) this.breakStream(from);
    if (from.broken) {
      if (from.lateMs !== null)
        this.#deliver(to, frame, (from.arrivesMs = Math.max(from.arrivesMs + STEP_MS, from.node.nowMs + from.lateMs)));
      return true;
    }
    if (from.isSocket) return this.#sendBytes(from, to, frame);
    if (this.#chance.happens(weather.breaking)) {
      this.breakStream(from);
      return true;
    }
    if (this.#chance.happens(weather.loss)) {
      faults.lost++;
      return true;
    }
    const arrivesMs = from.node.nowMs + this.#delayMs(from.node.name, to.node.name);
    if (this.#chance.happens(weather.reordering)) {
      faults.reordered++;
      this.#deliver(to, frame, arrivesMs + weather.delayMs[1] * this.#chance.between(1, 4));
      return true;
    }
    from.arrivesMs = Math.max(from.arrivesMs + STEP_MS, arrivesMs);
    this.#deliver(to, frame, from.arrivesMs);
    if (this.#chance.happens(weather.duplication)) {
      faults.doubled++;
      this.#deliver(to, frame, from.arrivesMs + this.#chance.between(0, 20));
    }
    return this.#chokes(from);
  }

  /** What is lost, doubled or out of order is put right before anybody sees it. */
  #sendBytes(from: StreamEnd, to: StreamEnd, bytes: Uint8Array): boolean {
    const cut = this.#chance.happens(CUT) ? this.#chance.below(bytes.length) : 0;
    for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      if (piece.length === 0) continue;
      from.arrivesMs = Math.max(from.arrivesMs + STEP_MS, from.node.nowMs + this.#delayMs(from.node.name, to.node.name));
      this.#deliver(to, piece, from.arrivesMs);
    }
    return this.#chokes(from);
  }

  #chokes(from: StreamEnd): boolean {
    if (!this.#chance.happens(this.weather.choking)) return true;
    this.faults.choked++;
    this.#world.after(this.#chance.between(0.1, 100), () => from.closed || from.handlers?.onWritable(), from.node);
    return false;
  }

  #deliver(to: StreamEnd, sent: Uint8Array, atMs: number): void {
    if (to.isSocket) to.underWay.push(sent);
    this.#world.after(
      atMs - this.#world.nowMs,
      () => {
        // A stall that begins within another one changes the order of events.
        const frame = to.underWay.shift() ?? sent;
        if (to.closed) return;
        this.#world.note(to.node.name, frame);
        if (!to.isSocket) this.onDelivery?.(to.other.node, to.node, frame);
        // A copy, as received from a wire.
        to.handlers?.onFrame(frame.slice());
      },
      to.node,
    );
  }

  #delayMs(one: string, other: string): number {
    const { delayMs, spike, spikeMs } = this.weather;
    const heal = Math.max(0, (this.#partitions.get(wayOf(one, other)) ?? 0) - this.#world.nowMs);
    const extra = this.#chance.happens(spike) ? this.#chance.between(0, spikeMs) : 0;
    return heal + extra + this.#chance.between(...delayMs);
  }

  /** The end has closed; the other end is notified after all frames sent, unless the notification is lost. */
  leave(from: StreamEnd): void {
    this.#streams.delete(from);
    const to = from.other;
    if (to === undefined || to.closed || from.broken) return;
    from.broken = true;
    from.arrivesMs = Math.max(from.arrivesMs + STEP_MS, from.node.nowMs + this.#delayMs(from.node.name, to.node.name));
    this.#world.after(from.arrivesMs - this.#world.nowMs, () => to.end(), to.node);
  }

  /** Frames sent from now on arrive late or never; frames in flight arrive. Each end notices at its own time. */
  breakStream(end: StreamEnd): void {
    if (end.broken) return;
    this.faults.broken++;
    for (const side of [end, end.other]) {
      side.broken = true;
      if (this.#chance.happens(LATE)) side.lateMs = this.#chance.between(0, LATE_MS);
      this.#notices(side);
    }
  }

  #notices(side: StreamEnd): void {
    if (this.#chance.happens(NEVER_NOTICES)) return;
    const delayMs = this.#chance.between(0, this.#chance.happens(0.5) ? NOTICE_SOON_MS : NOTICE_LATE_MS);
    this.#world.after(delayMs, () => side.end(new Error('the stream broke')), side.node);
  }

  /** A random stream, if there is any. */
  anyStream(chance: Chance): StreamEnd | undefined {
    const open = [...this.#streams].filter((end) => !end.broken && !end.closed);
    return open.length === 0 ? undefined : chance.pick(open);
  }

  /** Breaks the streams between two processes, by their names. */
  breakBetween(one: string, other: string): void {
    for (const end of [...this.#streams]) if (end.node.name === one && end.other.node.name === other) this.breakStream(end);
  }

  /** The process on `node` has died; other ends notice soon, late or never. */
  died(node: SimulatedNode): void {
    for (const question of this.#questions) {
      if (question.asked !== node) continue;
      this.#questions.delete(question);
      question.fail();
    }
    for (const end of [...this.#streams]) {
      if (end.node !== node) continue;
      this.#streams.delete(end);
      end.closed = end.broken = true;
      end.other.broken = true;
      if (!end.other.closed) this.#notices(end.other);
    }
  }

  partition(one: string, other: string, forMs: number): void {
    this.cutOneWay(one, other, forMs);
    this.cutOneWay(other, one, forMs);
  }

  /** What one sends to the other arrives later. */
  cutOneWay(from: string, to: string, forMs: number): void {
    this.#partitions.set(wayOf(from, to), this.#world.nowMs + forMs);
  }

  /** Frames sent from now on arrive in time. Who has not noticed that a stream is broken, since late frames still arrive, notices now. */
  heal(): void {
    this.weather = CALM;
    this.#partitions.clear();
    for (const end of this.#streams) {
      if (end.broken) this.#world.after(0, () => end.end(new Error('the stream broke')), end.node);
    }
  }
}

type Tell<T> = (resolve: (value: T) => void, reject: (why: unknown) => void) => void;

const answered = async <T>(answer: () => T | Promise<T>): Promise<Tell<T>> => {
  try {
    const value = await answer();
    return (resolve) => resolve(value);
  } catch (error) {
    return (_resolve, reject) => reject(error);
  }
};

const wayOf = (from: string, to: string): string => `${from}|${to}`;
