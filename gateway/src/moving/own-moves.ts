// OwnMoves: the part of a gateway in moves of slots: its shard gives, its shard takes, and operators ask for moves here. At its start it goes on
// with what its log says was not over.
import type { Environment, SlotRun } from '@claret/client';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import { RemoteTaker, remoteGiver } from '../grpc/move.ts';
import type { CallMove } from '../grpc/move.ts';
import type { MovingHost } from '../store/moving-host.ts';
import type { Topology } from '../topology.ts';
import { MoveCounts } from './move-counts.ts';
import { SlotGiver } from './slot-giver.ts';
import type { MOVE_LIMITS, MoveState } from './slot-giver.ts';
import { SlotMoves } from './slot-moves.ts';
import { SlotTaker } from './slot-taker.ts';

export interface OwnMovesOptions {
  shard: number;
  host: MovingHost;
  topology: Topology;
  environment: Environment;
  /** Calls `Move` at another gateway. */
  call: CallMove;
  /** Slots have moved from this shard, or to it: the other gateways are to know. */
  onMoved(): void;
  /** Whether this gateway owns the shard, so that nobody else can have gone on with its moves. */
  isOwner(): boolean;
  /** for tests */
  limits?: Partial<typeof MOVE_LIMITS> | undefined;
}

export class OwnMoves {
  /** A move in which this shard gives, or was to give, is over. */
  onEnded: (state: Readonly<MoveState>) => void = () => {};
  readonly counts = new MoveCounts();
  readonly giver: SlotGiver;
  readonly taker: SlotTaker;
  readonly moves: SlotMoves;
  readonly isOwner: () => boolean;
  private readonly host: MovingHost;

  constructor({ shard, host, topology, environment, call, onMoved, isOwner, limits }: OwnMovesOptions) {
    const { members } = topology;
    const peers = remoteGiver(call);
    const memberOf = (other: number): ClusterMember => {
      const member = members[other];
      if (member === undefined) throw new GatewayError('shard_unavailable', `Shard ${other} has not joined yet.`);
      return member;
    };
    const moved = (owner: number, slots: readonly SlotRun[]) => {
      topology.takeSlots(owner, slots);
      onMoved();
    };
    this.host = host;
    this.isOwner = isOwner;
    this.taker = new SlotTaker({
      own: host,
      ask: async (other, move) => peers.askMove(memberOf(other), move),
      environment,
      onTaken: (slots) => moved(shard, slots),
    });
    this.giver = new SlotGiver(
      {
        shard,
        own: host,
        taker: (to) => new RemoteTaker(memberOf(to), call),
        environment,
        isTaken: (move) => {
          const given = host.givenRun();
          return given?.move === move && topology.haveMoved(given.slots.first, given.slots.last, given.version);
        },
        onMoved: moved,
        onHeld: (heldMs) => this.counts.held(heldMs),
        onEnded: (state) => {
          this.counts.ended(state);
          this.onEnded(state);
        },
      },
      limits,
    );
    this.moves = new SlotMoves({ shard, members, giver: this.giver, peers });
    topology.takeSlots(shard, host.slots());
  }

  /** Completes a move that was given before this start. */
  begin(): void {
    const given = this.host.givenRun();
    if (given !== null) this.giver.complete(given.move, given.slots, given.other);
  }

  async close(): Promise<void> {
    this.taker.close();
    await this.giver.close();
  }
}
