// SlotMoves: the moves of slots in the whole cluster, for operators. A move is begun, watched and called off at the gateway of the shard that
// gives; any gateway passes a request on to it.
import { randomUUID } from 'node:crypto';
import { SLOT_COUNT } from '@claret/client';
import type { SlotRun } from '@claret/client';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { MovedSlots } from './moving-shard.ts';
import type { MoveState, SlotGiver } from './slot-giver.ts';

/** What an operator asks for: a run of slots, or how many. */
export interface MoveRequest {
  /** needed with `count`; else the shard that owns the first slot */
  from?: number;
  to: number;
  slots?: MovedSlots;
  /** the last slots of the giver's last run */
  count?: number;
}

export interface PeerMoves {
  /** Throws the refusals of that shard's gateway, and shard_unavailable. */
  beginMove(member: ClusterMember, move: string, slots: MovedSlots, to: number): Promise<MoveState>;
  /** The last move that this gateway has driven; null: none since its start. */
  getMove(member: ClusterMember): Promise<MoveState | null>;
  callOffMove(member: ClusterMember, move: string): Promise<void>;
}

export interface SlotMovesOptions {
  shard: number;
  /** of all shards; their slots change in place */
  members: readonly ClusterMember[];
  giver: Pick<SlotGiver, 'begin' | 'callOff' | 'state'>;
  peers: PeerMoves;
}

export class SlotMoves {
  readonly #options: SlotMovesOptions;

  constructor(options: SlotMovesOptions) {
    this.#options = options;
  }

  /** Throws invalid_request, and the refusals of the giver. */
  async begin(request: MoveRequest): Promise<MoveState> {
    const { members, shard, giver, peers } = this.#options;
    const { slots, from } = this.#resolve(request);
    const move = `${from.shard}-${request.to}-${randomUUID().slice(0, 8)}`;
    if (members[request.to] === undefined) throw new GatewayError('invalid_request', `to: there is no shard ${request.to}.`);
    if (request.to === from.shard) throw new GatewayError('invalid_request', `to: shard ${request.to} has these slots.`);
    if (from.shard === shard) return giver.begin(move, slots, request.to);
    return peers.beginMove(from, move, slots, request.to);
  }

  /** The last move that each gateway has driven since its start, in the order of the shards; those that do not answer are left out. */
  async list(): Promise<MoveState[]> {
    const { members, shard, giver, peers } = this.#options;
    const states = await Promise.all(
      members.map((member) => (member.shard === shard ? giver.state : peers.getMove(member).catch(() => null))),
    );
    return states.filter((state) => state !== null);
  }

  /** Throws unknown_move, move_given, shard_unavailable. */
  async callOff(move: string): Promise<void> {
    const { members, shard, giver, peers } = this.#options;
    const from = members[Number(/^\d+/.exec(move)?.[0])];
    if (from === undefined) throw new GatewayError('unknown_move', `There is no move ${move}.`);
    if (from.shard === shard) giver.callOff(move);
    else await peers.callOffMove(from, move);
  }

  #resolve({ from, slots, count }: MoveRequest): { slots: MovedSlots; from: ClusterMember } {
    const { members } = this.#options;
    if ((slots === undefined) === (count === undefined)) throw new GatewayError('invalid_request', 'A move names slots, or their count.');
    if (slots !== undefined) {
      if (slots.first > slots.last || slots.last >= SLOT_COUNT)
        throw new GatewayError('invalid_request', `slots: first <= last < ${SLOT_COUNT}.`);
      const owner = members.find((member) => member.slots.some((run) => run.first <= slots.first && slots.first <= run.last));
      if (owner === undefined || (from !== undefined && owner.shard !== from))
        throw new GatewayError('invalid_request', `from: slot ${slots.first} is with shard ${owner?.shard ?? '(none)'}.`);
      return { slots, from: owner };
    }
    const giver = from === undefined ? undefined : members[from];
    if (giver === undefined) throw new GatewayError('invalid_request', 'from: with a count, a move names the shard that gives.');
    const last = joined(giver.slots).at(-1);
    if (last === undefined || last.last - last.first + 1 < count!)
      throw new GatewayError(
        'invalid_request',
        `count: shard ${giver.shard} has ${last === undefined ? 0 : last.last - last.first + 1} slots in a row at most at its end.`,
      );
    return { slots: { first: last.last - count! + 1, last: last.last }, from: giver };
  }
}

/** Adjacent runs as one, whatever their versions. */
function joined(runs: readonly SlotRun[]): MovedSlots[] {
  const all: MovedSlots[] = [];
  for (const { first, last } of runs) {
    const before = all.at(-1);
    if (before?.last === first - 1) before.last = last;
    else all.push({ first, last });
  }
  return all;
}
