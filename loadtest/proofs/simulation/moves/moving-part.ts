// MovingPart: what a process that serves a shard does about moves of slots. Its part in the moves is the gateway's own (gateway/src/moving). The
// calls between gateways are here, and the greetings in which they tell each other which slots they own (gateway/src/store/agreement.ts).
import type { SlotRun } from '@claret/client';
import type { ClusterMember } from '@claret/gateway/cluster.ts';
import { GatewayError } from '@claret/gateway/errors.ts';
import { serveMoveStep } from '@claret/gateway/grpc/move.ts';
import type { WireMoveAnswer, WireMoveStep } from '@claret/gateway/grpc/move.ts';
import { OwnMoves } from '@claret/gateway/moving/own-moves.ts';
import type { MOVE_LIMITS } from '@claret/gateway/moving/slot-giver.ts';
import { pause } from '@claret/gateway/store/environment.ts';
import type { ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { Topology } from '@claret/gateway/topology.ts';
import type { Chance } from '../../../kit/random.ts';
import type { Network } from '../network.ts';
import type { SimulatedNode } from '../node.ts';

/** How the slots of a run move. */
export interface MoveSettings {
  limits: Partial<typeof MOVE_LIMITS>;
  /** a call to another gateway is given up after this time */
  callMs: number;
  /** shards beside those among which the slots are dealt at first */
  joiners: number;
  /** the share of moves at whose end the giver or the taker dies */
  deaths: number;
}

export interface MovingPartOptions {
  node: SimulatedNode;
  network: Network;
  shard: number;
  host: ShardHost;
  topology: Topology;
  settings: MoveSettings;
  /** of the process that serves at that address */
  partAt(address: string): MovingPart | undefined;
  /** The slots that the shard has given have been taken, or it has taken them. */
  onMoved(shard: number): void;
  isOwner(): boolean;
}

const GREET_MS = 1_000;

export function anyMoveSettings(chance: Chance): MoveSettings {
  const limits = {
    pieceBytes: chance.pick([200, 2_000, 256 << 10]),
    restBytes: chance.pick([0, 500, 256 << 10]),
    woundAfterMs: chance.pick([1, 20]),
    drainWithinMs: chance.pick([20, 100, 400]),
    drainAgainMs: chance.pick([5, 50]),
    drainsMax: chance.pick([3, 40]),
    askAgainMs: chance.pick([5, 50]),
    silentMs: chance.pick([200, 2_000]),
  };
  return { limits, callMs: chance.pick([20, 200, 1_000]), joiners: chance.below(2), deaths: chance.pick([0, 0.3]) };
}

export class MovingPart {
  readonly own: OwnMoves;
  readonly host: ShardHost;
  readonly shard: number;
  readonly topology: Topology;
  readonly #options: MovingPartOptions;
  #isClosed = false;

  constructor(options: MovingPartOptions) {
    const { node, shard, host, topology, settings } = options;
    this.#options = options;
    this.host = host;
    this.shard = shard;
    this.topology = topology;
    host.setShards(topology.members.length);
    this.own = new OwnMoves({
      shard,
      host: host.moving,
      topology,
      environment: node,
      call: (member, step) => this.#call(member, step),
      onMoved: () => {
        options.onMoved(shard);
        this.#greetAll();
      },
      isOwner: options.isOwner,
      limits: settings.limits,
    });
  }

  /** The process serves from now on. */
  begin(): void {
    this.own.begin();
    this.#greetLater();
  }

  /** Something of a move is not settled here. */
  get isMoving(): boolean {
    const { moving } = this.host;
    return moving.givenRun() !== null || moving.imported() !== null || this.own.giver.isUnderWay(this.own.giver.state?.move ?? '');
  }

  /** What is not settled, for a violation. */
  describe(): string {
    const { moving } = this.host;
    return JSON.stringify({ shard: this.shard, given: moving.givenRun(), imported: moving.imported(), giver: this.own.giver.state });
  }

  /** Asks for a move of some of the own slots, if there are any. The shard may refuse it. */
  give(chance: Chance, move: string): void {
    const { topology } = this.#options;
    const runs = this.host.moving.slots();
    const others = topology.members.filter(({ shard }) => shard !== this.shard);
    if (runs.length === 0 || others.length === 0) return;
    const { first, last } = chance.pick(runs);
    const middle = first + chance.below(last - first + 1);
    const slots = chance.pick([
      { first, last },
      { first, last: middle },
      { first: middle, last },
    ]);
    refusable(() => this.own.giver.begin(move, slots, chance.pick(others).shard));
  }

  callOff(): void {
    const { giver } = this.own;
    if (giver.state !== null) refusable(() => giver.callOff(giver.state!.move));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.own.close();
  }

  // ---- Calls between gateways

  async #call(member: ClusterMember, step: WireMoveStep): Promise<WireMoveAnswer> {
    const [name] = Object.keys(step).filter((key) => key !== 'move') as [NonNullable<WireMoveStep['step']>];
    return this.#ask(member, async (part) => {
      const answer = await serveMoveStep(part.own, { ...step, step: name });
      return { ...answer, ...(answer.slots && { slots: [...answer.slots] }) };
    });
  }

  async #ask<T>(member: ClusterMember, answer: (part: MovingPart) => T | Promise<T>): Promise<T> {
    const { node, network, partAt, settings } = this.#options;
    const { grpc, shard } = member;
    const silent = (): never => {
      throw new GatewayError('shard_unavailable', `Shard ${shard} at ${grpc} did not answer.`);
    };
    const asked = network.ask(node, grpc, () => {
      const part = partAt(grpc);
      return part === undefined ? silent() : answer(part);
    });
    return Promise.race([asked, pause(node, settings.callMs).then(silent)]).catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
      return silent();
    });
  }

  #greetLater(): void {
    if (this.#isClosed) return;
    this.#greetAll();
    this.#options.node.setTimeout(() => this.#greetLater(), GREET_MS);
  }

  #greetAll(): void {
    const { topology } = this.#options;
    for (const member of topology.members) if (member.shard !== this.shard) void this.#greet(member).catch(() => {});
  }

  async #greet(member: ClusterMember): Promise<void> {
    const { topology } = this.#options;
    const slots = this.host.moving.slots();
    const theirs = await this.#ask(member, (part) => part.#answer(this.shard, slots));
    if (theirs.shard === member.shard) topology.takeSlots(member.shard, theirs.slots);
  }

  #answer(shard: number, slots: readonly SlotRun[]): { shard: number; slots: readonly SlotRun[] } {
    if (shard !== this.shard) this.#options.topology.takeSlots(shard, slots);
    return { shard: this.shard, slots: this.host.moving.slots() };
  }
}

function refusable(step: () => unknown): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
