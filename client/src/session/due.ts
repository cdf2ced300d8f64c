// Due: whether something waits in an outbox for the next frame. All parts of an outbox share one.

export class Due {
  /** the session is live: what belongs to one life of it alone is taken */
  isOpen = false;
  /** nothing waits */
  nothing = true;
  readonly #schedule: () => void;

  /** @param schedule a frame is to leave at the end of this turn */
  constructor(schedule: () => void) {
    this.#schedule = schedule;
  }

  mark(): void {
    this.nothing = false;
    this.#schedule();
  }
}
