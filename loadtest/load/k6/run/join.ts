// A further shard that joins the cluster under a storm, and takes its share of the slots from each of the others.
//
// Each gives its part in several runs, one after the other: slots are held once for each run, and one figure would say little.

import { setTimeout as sleep } from 'node:timers/promises';
import { SLOT_COUNT } from '@claret/client';
import { Problem } from '../../../../scripts/run/problem.js';
import type { Target } from './target.ts';
import { authorization } from './token.ts';

/** One run of slots that has moved. */
export interface SlotMove {
  from: number;
  slots: number;
  bytes: number;
  /** how often the run was held; it was handed over the last time */
  drains: number;
  /** for how long nobody could use the run then */
  held_ms: number;
  /** from the request until the giver knew that the taker owns it */
  took_ms: number;
}

/** Moments in ms since the Unix epoch. */
export interface Joining {
  /** its process is started */
  joins_ms: number;
  /** it is ready, and the first move is requested */
  moves_ms: number;
  /** it has its share */
  done_ms: number;
  moves: SlotMove[];
}

/** The shard joins after this share of the storm. */
export const JOIN_SHARE = 1 / 3;
const RUNS_OF_EACH = 4;
const LOOK_EVERY_MS = 20;
/** A giver refuses a run while it removes what an earlier one left. */
const BEGUN_WITHIN_MS = 30_000;
const MOVED_WITHIN_MS = 60_000;

/** How many slots each of `shards` shards gives in each of its runs, so that one more has as many as they. */
export function runsOf(shards: number): { from: number; count: number }[] {
  const parts = shards * RUNS_OF_EACH;
  const share = Math.floor(SLOT_COUNT / (shards + 1));
  const upTo = (part: number) => Math.round((part * share) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: Math.floor(part / RUNS_OF_EACH), count: upTo(part + 1) - upTo(part) }));
}

/** `onReady`: called before the first move. Rejects with a Problem if the shard does not get its share. REQUIRES: a cluster of the test's own. */
export async function joinShard(target: Target, signal: AbortSignal, onReady: () => void): Promise<Joining> {
  const shards = target.gateways.length;
  const joins_ms = Date.now();
  await target.joinShard!();
  onReady();
  const moves_ms = Date.now();
  const moves: SlotMove[] = [];
  for (const { from, count } of runsOf(shards)) moves.push(await move(target, { from, to: shards, count }, signal));
  return { joins_ms, moves_ms, done_ms: Date.now(), moves };
}

interface MoveState {
  move: string;
  phase: 'copying' | 'draining' | 'handing_over' | 'done' | 'called_off' | 'failed';
  bytes_sent: number;
  drains: number;
  held_ms: number | null;
  why: string | null;
}

async function move(target: Target, request: { from: number; to: number; count: number }, signal: AbortSignal): Promise<SlotMove> {
  const url = `${target.gateways[0]!.rest}/v1/admin/moves`;
  const begun_ms = performance.now();
  const { move: id } = await begin(url, request, signal);
  for (;;) {
    const { moves } = (await (await fetch(url, { headers: authorization, signal })).json()) as { moves: MoveState[] };
    const state = moves.find((one) => one.move === id);
    const took_ms = performance.now() - begun_ms;
    if (state?.phase === 'done')
      return {
        from: request.from,
        slots: request.count,
        bytes: state.bytes_sent,
        drains: state.drains,
        held_ms: state.held_ms!,
        took_ms: Math.round(took_ms),
      };
    const isOver = state === undefined || state.phase === 'called_off' || state.phase === 'failed';
    if (isOver || took_ms > MOVED_WITHIN_MS)
      throw new Problem(
        `the move ${id} is ${state?.phase ?? 'unknown'} after ${Math.round(took_ms)} ms${state?.why ? `: ${state.why}` : ''}`,
      );
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function begin(url: string, request: object, signal: AbortSignal): Promise<MoveState> {
  const headers = { 'content-type': 'application/json', ...authorization };
  for (const until_ms = performance.now() + BEGUN_WITHIN_MS; ;) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request), signal });
    const body = (await answer.json()) as MoveState & { code?: string; detail?: string };
    if (answer.status === 202) return body;
    if (body.code !== 'move_in_progress' || performance.now() > until_ms)
      throw new Problem(`a move of slots was refused: ${body.code}: ${body.detail}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
