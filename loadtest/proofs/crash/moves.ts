// Slots that move from one shard to another and back while a round goes on, as if an operator asked for it at any gateway.

import type { Chance } from '../../kit/random.ts';
import { authorization } from './authorization.ts';
import { SHARDS, type Store } from './store.ts';
import { pause, until } from './until.ts';

const PER_ROUND_MAX = 3;
const WITHIN_MS = 6_000;
const SLOTS_MAX = 3_000;
const ANSWER_WITHIN_MS = 30_000;
const OVER = ['done', 'called_off'];

interface Move {
  move: string;
  phase: string;
  why: string | null;
}

export class SlotMoves {
  readonly #store: Store;
  readonly #done = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Moves whose end was seen; a gateway that starts again has forgotten those before. */
  get done(): number {
    return this.#done.size;
  }

  /** Asks for some moves, one after another. A refusal, or a gateway that is down, is no violation. */
  async ask(chance: Chance): Promise<void> {
    for (let left = chance.below(PER_ROUND_MAX + 1); left > 0; left--) {
      await pause(chance.between(0, WITHIN_MS));
      const from = chance.below(SHARDS);
      const body = { from, to: (from + 1) % SHARDS, count: 1 + chance.below(SLOTS_MAX) };
      await this.#request(chance.pick(this.#store.rest), { method: 'POST', body: JSON.stringify(body) }).catch(() => {});
    }
  }

  /** Waits until none is under way: returns '' then, else what is, or has failed. */
  async settled(withinMs: number): Promise<string> {
    let left = '';
    await until(async () => (left = await this.#left()) === '', withinMs);
    return left;
  }

  async #left(): Promise<string> {
    try {
      const { moves } = (await this.#request(this.#store.rest[0]!, {})) as { moves: Move[] };
      for (const { move, phase } of moves) if (phase === 'done') this.#done.add(move);
      return moves
        .filter(({ phase }) => !OVER.includes(phase))
        .map(({ move, phase, why }) => `the move ${move} is ${phase}${why === null ? '' : `: ${why}`}`)
        .join('; ');
    } catch (error) {
      return `the moves are unknown: ${(error as Error).message}`;
    }
  }

  /** Throws if the answer is an error. */
  async #request(rest: string, request: RequestInit): Promise<unknown> {
    const response = await fetch(`${rest}/v1/admin/moves`, {
      ...request,
      headers: { ...(request.body !== undefined && { 'content-type': 'application/json' }), ...authorization(this.#store.token) },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  }
}
