// The move in which a shard gives slots away, as viewers see it: while it is under way, on its way from the giver's gateway to theirs, and as a
// mark on the time axis once it is over.
import { accepts, moving, type Change, type MovingSlots } from '@claret/client/telemetry';
import type { MoveOutcome } from '../moving/move-counts.ts';
import type { MoveState } from '../moving/slot-giver.ts';

/** Null if the move is over, or if there is none. */
export function givingOf(state: Readonly<MoveState> | null): MovingSlots | null {
  if (state === null) return null;
  const { phase, move, from, to, slots, bytesSent, bytesLeft, beganAtMs, why } = state;
  if (phase === 'done' || phase === 'called_off' || phase === 'failed') return null;
  return {
    move,
    from,
    to,
    slots,
    phase,
    bytes_sent: bytesSent,
    bytes_left: bytesLeft,
    began_at_ms: beganAtMs,
    ...(why !== null && { why }),
  };
}

/** Reads what another gateway says, which may be of another version. Null: its shard gives nothing, or this cannot be read. */
export function readGiving(json: string): MovingSlots | null {
  if (json === '') return null;
  try {
    const move: unknown = JSON.parse(json);
    return accepts(moving, move) ? move : null;
  } catch {
    return null;
  }
}

/** REQUIRES: the move is over. */
export function moveChange({ phase, from, to, slots: { first, last }, heldMs, why }: Readonly<MoveState>): Change {
  return {
    slots_moved: phase as MoveOutcome,
    count: last - first + 1,
    from,
    to,
    ...(heldMs !== null && { held_ms: heldMs }),
    ...(why !== null && { why }),
  };
}
