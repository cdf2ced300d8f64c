// The own shard and the taker's, as a move of slots sees them (docs/decisions/0033-slots-that-move.md).
import type { SlotRun } from '@claret/client';

export interface MovedSlots {
  /** 0 <= first <= last < 16,384 */
  first: number;
  last: number;
}

/** A move that is not settled, as the shard's log has it. */
export interface UnsettledMove {
  move: string;
  slots: MovedSlots;
  /** the other shard */
  other: number;
}

export interface GivePiece {
  bytes: Uint8Array;
  /** Nothing is left, and nothing can change. */
  complete: boolean;
  /** estimate of what is left */
  bytesLeft: number;
}

/** What the giver's shard does. Each call throws a GatewayError if it is refused. */
export interface GivingShard {
  beginGive(give: { move: string; slots: MovedSlots; to: number }): void;
  takeGive(bytesMax: number): GivePiece;
  drainGive(woundAfterMs: number): void;
  isDrained(): boolean;
  callOffDrain(): void;
  callOffGive(): void;
  /** Resolves when it is durable that the run was given. */
  give(): Promise<void>;
  /** The time above which the taker's clock has to be; null: the run was not given, or that is not durable yet. */
  given(move: string): bigint | null;
  /** Resolves when it is durable that the move is over. */
  settleGive(move: string): Promise<void>;
  slots(): SlotRun[];
}

/** What the taker's shard does; called by its own gateway, or by the giver's through it. Resolves when it is durable there. */
export interface TakingShard {
  importPiece(move: string, from: number, bytes: Uint8Array): Promise<void>;
  /** The runs that it owns then. May be repeated. */
  takeOver(move: string, at: bigint): Promise<SlotRun[]>;
  /** May be repeated. */
  dropImport(move: string): Promise<void>;
}
