// Moves of slots between gateways, in the loader's form: serves the steps of other gateways, and asks other gateways for theirs.
import type { ServiceError } from '@grpc/grpc-js';
import type { SlotRun } from '@claret/client';
import { GatewayError, isErrorCode } from '../errors.ts';
import type { MovedSlots, TakingShard } from '../moving/moving-shard.ts';
import type { MoveState, SlotGiver } from '../moving/slot-giver.ts';
import type { MoveAnswer } from '../moving/slot-taker.ts';
import type { ClusterMember } from '../cluster.ts';
import { codeIn } from './status.ts';

/** claret.v1.MoveStep in the loader's form */
export interface WireMoveStep {
  move: string;
  step?: 'begin' | 'state' | 'callOff' | 'ask' | 'piece' | 'take' | 'drop';
  begin?: { first: number; last: number; to: number };
  state?: boolean;
  callOff?: boolean;
  ask?: boolean;
  piece?: { from: number; bytes: Buffer };
  take?: string;
  drop?: boolean;
}
export interface WireMoveAnswer {
  state?: string;
  underWay?: boolean;
  slots?: SlotRun[];
}

/** The rooms that serve them (OwnMoves). Implemented once, since they ask other gateways by way of this file. */
export interface ServedMoves {
  giver: Pick<SlotGiver, 'begin' | 'callOff' | 'state' | 'isUnderWay'>;
  taker: TakingShard;
  isOwner(): boolean;
}

const stateOf = (state: Readonly<MoveState> | null): WireMoveAnswer => ({ state: state === null ? '' : JSON.stringify(state) });

export async function serveMoveStep({ giver, taker, isOwner }: ServedMoves, request: WireMoveStep): Promise<WireMoveAnswer> {
  const { move, step } = request;
  switch (step) {
    case 'begin': {
      const { first, last, to } = request.begin!;
      return stateOf(giver.begin(move, { first, last }, to));
    }
    case 'state':
      return stateOf(giver.state);
    case 'callOff':
      giver.callOff(move);
      return stateOf(giver.state);
    case 'ask':
      if (!isOwner())
        throw new GatewayError('shard_unavailable', 'This gateway owns its shard no longer, or does not know whether it does.');
      return { underWay: giver.isUnderWay(move) };
    case 'piece':
      await taker.importPiece(move, request.piece!.from, request.piece!.bytes);
      return {};
    case 'take':
      return { slots: await taker.takeOver(move, BigInt(request.take!)) };
    case 'drop':
      await taker.dropImport(move);
      return {};
    default:
      throw new GatewayError('invalid_request', 'A move step has one of its fields.');
  }
}

/** Calls `Move` at the gateway of a shard. */
export type CallMove = (member: ClusterMember, step: WireMoveStep) => Promise<WireMoveAnswer>;

/** The shard that takes slots, at another gateway. */
export class RemoteTaker implements TakingShard {
  private readonly member: ClusterMember;
  private readonly call: CallMove;

  constructor(member: ClusterMember, call: CallMove) {
    this.member = member;
    this.call = call;
  }

  async importPiece(move: string, from: number, bytes: Uint8Array): Promise<void> {
    await this.call(this.member, { move, piece: { from, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) } });
  }

  async takeOver(move: string, at: bigint): Promise<SlotRun[]> {
    return (await this.call(this.member, { move, take: String(at) })).slots ?? [];
  }

  async dropImport(move: string): Promise<void> {
    await this.call(this.member, { move, drop: true });
  }
}

const parsed = (state: string | undefined): MoveState | null => (state ? (JSON.parse(state) as MoveState) : null);

/** What gateways ask the gateway of a shard that gives slots. */
export const remoteGiver = (call: CallMove) => ({
  beginMove: async (member: ClusterMember, move: string, { first, last }: MovedSlots, to: number) =>
    parsed((await call(member, { move, begin: { first, last, to } })).state)!,
  getMove: async (member: ClusterMember) => parsed((await call(member, { move: '', state: true })).state),
  callOffMove: async (member: ClusterMember, move: string) => void (await call(member, { move, callOff: true })),
  askMove: async (member: ClusterMember, move: string): Promise<MoveAnswer> =>
    (await call(member, { move, ask: true })).underWay === true ? 'under_way' : 'unknown',
});

/** The refusal of the other gateway, or that it did not answer. */
export function refusalIn({ shard, grpc }: ClusterMember, error: ServiceError): GatewayError {
  const code = codeIn(error);
  if (code !== undefined && isErrorCode(code)) return new GatewayError(code, error.details);
  return new GatewayError('shard_unavailable', `Shard ${shard} at ${grpc} did not answer: ${error.details}.`);
}
