// ShardServer: one shard's machine. It runs the gateway's session code around the real core. A crash loses the process, not the
// disk. The next start is a new core with a greater incarnation, which reads the disk's data; it takes time and may be interrupted
// as well.
import type { Conditions, Shard, ShardOptions } from '@claret/core';
import { ShardHost } from '@claret/gateway/store/shard-host.ts';
import { Checkpointer } from '@claret/gateway/store/checkpointer.ts';
import type { CheckpointLimits } from '@claret/gateway/store/checkpointer.ts';
import { REFUSALS } from '@claret/gateway/log/log.ts';
import type { LogTrouble } from '@claret/gateway/log/log.ts';
import type { PeerLink, ShardHostOptions } from '@claret/gateway/store/shard-host.ts';
import { ShardLinks } from '@claret/gateway/store/shard-links.ts';
import type { Chance } from '../../kit/random.ts';
import type { Clocked } from './clocks.ts';
import type { ServedShard } from './served-shard.ts';
import { Disk } from './disk.ts';
import { doorOf } from './doors/simulated-door.ts';
import type { KeptPiece, ShardLog } from './disk.ts';
import type { MovingPart } from './moves/moving-part.ts';
import type { Network, StreamEnd } from './network.ts';
import { SimulatedNode } from './node.ts';
import type { TypesPart } from './types/types-part.ts';
import type { World } from './world.ts';

export type CreateShard = (options: ShardOptions) => Shard;

/** Options of all shards alike. */
export interface ShardServerOptions extends Omit<ShardHostOptions, 'shard' | 'incarnation'> {
  checkpoints: CheckpointLimits;
}

/** The time in which a start takes one piece of the data. */
const PIECE_MS: readonly [number, number] = [0.01, 0.3];

export const addressOf = (shard: number): string => `shard-${shard}`;

export class ShardServer implements ServedShard, Clocked {
  readonly number: number;
  readonly disk: Disk;
  /** null: it is down, or recovering */
  host: ShardHost | null = null;
  /** a process is running, whether it serves or recovers */
  up = false;
  node!: SimulatedNode;
  incarnation = 0;
  /** of its clock, over all starts */
  skewMs = 0;
  /** shards whose clocks are too far from its own, as far as it knows */
  skewed: number[] = [];
  /** Called before the clock is set. */
  onSetClock: () => void = () => {};
  readonly #world: World;
  readonly #network: Network;
  readonly #chance: Chance;
  readonly #options: Omit<ShardServerOptions, 'checkpoints'>;
  readonly #checkpoints: CheckpointLimits;
  readonly #createShard: CreateShard | undefined;
  #checkpointer!: Checkpointer;
  /** where slots move, while it serves */
  moving: MovingPart | null = null;
  /** Makes the part that it has in moves. */
  createMoving: ((node: SimulatedNode, host: ShardHost) => MovingPart) | undefined;
  /** where types are installed, while it serves or is about to */
  types: TypesPart | null = null;
  /** Makes the part that it has in installed types. */
  createTypes: ((node: SimulatedNode, host: ShardHost) => TypesPart) | undefined;

  /** Lets Redis clients in, if there are any. REQUIRES: it serves. */
  openDoor: (node: SimulatedNode, host: ShardHost) => void = () => {};

  /** the cluster's: a shard that starts takes them over, as a gateway does from the others */
  conditions: Conditions;

  constructor(
    world: World,
    network: Network,
    chance: Chance,
    number: number,
    { checkpoints, ...options }: ShardServerOptions,
    createShard: CreateShard | undefined,
  ) {
    this.#world = world;
    this.#network = network;
    this.#chance = chance;
    this.number = number;
    this.#options = options;
    this.#checkpoints = checkpoints;
    this.#createShard = createShard;
    this.conditions = options.conditions;
    this.disk = new Disk(world, chance.fork());
  }

  get name(): string {
    return addressOf(this.number);
  }

  get isDurable(): boolean {
    return this.disk.idle;
  }

  takeLog(): Uint8Array[] {
    return this.disk.takeAll();
  }

  start(): void {
    if (this.up) return;
    this.up = true;
    const node = new SimulatedNode(this.#world, addressOf(this.number), this.#chance.fork());
    node.skewMs = this.skewMs;
    this.node = node;
    const options = {
      ...this.#options,
      conditions: this.conditions,
      shard: this.number,
      incarnation: ++this.incarnation,
      digestKey: node.key,
    };
    const log = this.disk.open(node, (trouble) => this.#onTrouble(trouble));
    const host = new ShardHost(options, { environment: node, log, ...(this.#createShard && { createShard: this.#createShard }) });
    this.#world.note(`${node.name} starts as ${this.incarnation}`);
    this.#restore(host, log, this.disk.read());
  }

  /** Like gateway/src/store/recovery.ts, with time between the pieces. */
  #restore(host: ShardHost, log: ShardLog, kept: KeptPiece[]): void {
    const [piece] = kept;
    this.#world.after(
      this.#chance.between(...PIECE_MS),
      () => {
        if (this.disk.step()) return;
        if (piece === undefined) return this.#serve(host, log);
        if ('checkpoint' in piece) host.restoreCheckpoint(piece.checkpoint);
        else host.restore(piece.entries);
        this.#restore(host, log, kept.slice(1));
      },
      this.node,
    );
  }

  #serve(host: ShardHost, log: ShardLog): void {
    const { node } = this;
    host.restored();
    host.setConditions(this.conditions);
    host.setSkewed(this.skewed);
    this.#checkpointer = new Checkpointer({ host, log, environment: node, limits: this.#checkpoints });
    this.#checkpointer.start();
    this.host = host;
    new ShardLinks(
      host,
      (shard, { onFrame, onWritable, onClose }) => {
        const end = this.#network.open(node, addressOf(shard), { onFrame, onWritable, onClose });
        return linkTo(end, onClose);
      },
      node,
    );
    this.moving = this.createMoving?.(node, host) ?? null;
    this.types = this.createTypes?.(node, host) ?? null;
    if (this.types === null) this.#listen(host);
    else void this.types.types.join().then(() => this.#listen(host));
  }

  #listen(host: ShardHost): void {
    const { node } = this;
    this.#network.listeners.set(node.name, { node, accept: (end) => this.#accept(host, end) });
    this.#world.note(`${node.name} serves`);
    this.moving?.begin();
    this.openDoor(node, host);
  }

  /** As gateway/src/store/durable-shard.ts. */
  #onTrouble(trouble: LogTrouble | null): void {
    this.#world.note(`${this.node.name}: ${trouble === null ? 'the log is well again' : trouble.message}`);
    if (trouble?.kind === 'failed') this.crashAndStart(0);
    else this.host?.refuseChanges(trouble && REFUSALS[trouble.kind]);
  }

  // Like gateway/src/grpc/session.ts with a gRPC stream.
  #accept(host: ShardHost, end: StreamEnd): void {
    if (end.closed) return;
    const gone = () => host.disconnect(peer);
    const peer = host.connect(linkTo(end, gone));
    end.handlers = { onFrame: (frame) => host.receive(peer, frame), onWritable: () => host.writable(peer), onClose: gone };
  }

  /** As in a shutdown. REQUIRES: it is serving. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.checkpoint({ hurry: true });
  }

  /** The process dies, whatever it is doing. */
  crash(): void {
    if (!this.up) return;
    this.#world.note(`${this.node.name} crashes`);
    this.up = false;
    this.host = this.moving = this.types = null;
    this.node.alive = false;
    for (const address of [this.node.name, doorOf(this.node.name)]) this.#network.listeners.delete(address);
    this.#network.died(this.node);
    this.disk.crash();
  }

  crashAndStart(downMs: number): void {
    this.crash();
    this.#world.after(downMs, () => this.start());
  }

  setSkewed(shards: number[]): void {
    this.skewed = shards;
    this.host?.setSkewed(shards);
  }

  setSkew(skewMs: number): void {
    this.onSetClock();
    this.skewMs = skewMs;
    this.node.skewMs = skewMs;
  }
}

/** A gRPC stream that one side ends or cancels notifies that side too. */
export function linkTo(end: StreamEnd, onClose: () => void): PeerLink {
  const over = () => {
    if (end.closed) return;
    end.close();
    end.node.setImmediate(onClose);
  };
  return { write: (frame: Uint8Array) => end.send(frame), end: over, destroy: over };
}
