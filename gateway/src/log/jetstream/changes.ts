// Lets a sequence of steps wait until a condition holds that acknowledgements bring about.

export class Changes {
  #waiting: { isMet: () => boolean; resolve: () => void }[] = [];

  /** Stays pending if the condition is never met. */
  until(isMet: () => boolean): Promise<void> {
    return isMet() ? Promise.resolve() : new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  /** Something has changed on which conditions depend. */
  happened(): void {
    if (this.#waiting.length === 0) return;
    const met = this.#waiting.filter(({ isMet }) => isMet());
    if (met.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve();
  }
}
