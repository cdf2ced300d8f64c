// Outbox: everything for one shard except requests. It is never held back. Each room above has its part.

import type { FrameWriter } from '../wire/writer.ts';
import { ChainSteps } from './chain-steps.ts';
import { Due } from './due.ts';
import { Outcomes } from './outcomes.ts';
import type { DecidedAttempt } from './outgoing.ts';
import { WarrantyNotes } from './warranty-notes.ts';
import { WatchRequests } from './watch-requests.ts';

export class Outbox {
  readonly outcomes: Outcomes;
  readonly chains: ChainSteps;
  readonly warranties: WarrantyNotes;
  readonly watches: WatchRequests;
  readonly #due: Due;

  /** @param schedule a frame is to leave at the end of this turn */
  constructor(schedule: () => void) {
    this.#due = new Due(schedule);
    this.outcomes = new Outcomes(this.#due);
    this.chains = new ChainSteps(this.#due);
    this.warranties = new WarrantyNotes(this.#due);
    this.watches = new WatchRequests(this.#due);
  }

  get empty(): boolean {
    return this.#due.nothing;
  }

  /** The session is live. */
  open(): void {
    this.#due.isOpen = true;
  }

  /** Writes everything into frame number `sequence`, but watches only until the frame has `bytesMax`. */
  write(out: FrameWriter, sequence: number, bytesMax: number, nowMs: number): void {
    if (this.#due.nothing) return;
    this.#due.nothing = true;
    this.outcomes.write(out, sequence);
    this.warranties.write(out);
    this.chains.write(out, nowMs);
    if (!this.watches.write(out, bytesMax)) this.#due.nothing = false;
  }

  /** The session is lost. Empties the outbox and returns the attempts whose outcome may not have arrived. */
  reset(): DecidedAttempt[] {
    this.#due.isOpen = false;
    this.#due.nothing = true;
    this.chains.reset();
    this.warranties.reset();
    this.watches.reset();
    return this.outcomes.reset();
  }
}
