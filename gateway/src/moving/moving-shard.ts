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

/** What the taker's shard does; called by its own gateway, or by the giver's through it. Resolves when it is durable there. */
export interface TakingShard {
  importPiece(move: string, from: number, bytes: Uint8Array): Promise<void>;
  /** The runs that it owns then. May be repeated. */
  takeOver(move: string, at: bigint): Promise<SlotRun[]>;
  /** May be repeated. */
  dropImport(move: string): Promise<void>;
}
