// SlotTaker: the own shard as the taker of moved slots. The giver's gateway drives it. After a restart of either side this one asks the giver
// about what it has staged and not taken: a move that the giver knows nothing of was called off.
import type { Environment, SlotRun, Timer } from '@claret/client';
import type { MovingHost } from '../store/moving-host.ts';
import type { TakingShard } from './moving-shard.ts';

/** What the giver says of a move: it goes on, or is given and goes on; or it is none, so that it never will. */
export type MoveAnswer = 'under_way' | 'unknown';

export interface SlotTakerOptions {
  own: Pick<MovingHost, 'importPiece' | 'takeOver' | 'dropImport' | 'hasTaken' | 'imported' | 'slots'>;
  /** Asks the gateway of that shard about the move. Throws without an answer. */
  ask(shard: number, move: string): Promise<MoveAnswer>;
  environment: Environment;
  onTaken(slots: readonly SlotRun[]): void;
}

const ASK_MS = 1_000;

export class SlotTaker implements TakingShard {
  readonly #options: SlotTakerOptions;
  #timer: Timer | undefined;
  #isClosed = false;
  /** the last piece */
  #last: { move: string; bytes: Uint8Array; durable: Promise<void> } | null = null;
  /** when the giver last did something with the staged move */
  #heardMs = -Infinity;

  constructor(options: SlotTakerOptions) {
    this.#options = options;
    this.#lookLater();
  }

  async importPiece(move: string, from: number, bytes: Uint8Array): Promise<void> {
    this.#hear();
    const last = this.#last;
    // The answer was lost, and the giver sends the piece again.
    if (last?.move === move && Buffer.compare(last.bytes, bytes) === 0) return last.durable;
    const durable = this.#options.own.importPiece(move, from, bytes);
    this.#last = { move, bytes, durable };
    durable.catch(() => (this.#last = null));
    await durable;
  }

  async takeOver(move: string, at: bigint): Promise<SlotRun[]> {
    this.#hear();
    const { own, onTaken } = this.#options;
    if (!own.hasTaken(move)) {
      await own.takeOver(move, at);
      onTaken(own.slots());
    }
    return own.slots();
  }

  async dropImport(move: string): Promise<void> {
    const { own } = this.#options;
    if (own.imported()?.move === move) await own.dropImport(move);
  }

  close(): void {
    this.#isClosed = true;
    this.#options.environment.clearTimeout(this.#timer);
  }

  #hear(): void {
    this.#heardMs = this.#options.environment.monotonicMs();
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.environment.setTimeout(() => void this.#look().finally(() => this.#lookLater()), ASK_MS);
  }

  async #look(): Promise<void> {
    const { own, ask, environment } = this.#options;
    const staged = own.imported();
    if (staged === null || environment.monotonicMs() - this.#heardMs < ASK_MS) return;
    try {
      if ((await ask(staged.other, staged.move)) === 'unknown' && own.imported()?.move === staged.move) await own.dropImport(staged.move);
    } catch {
      // it is asked again
    }
  }
}
