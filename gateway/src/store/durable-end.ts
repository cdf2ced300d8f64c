// DurableEnd: the last entry of a shard's log that is durable, and who waits for a later one.

export class DurableEnd {
  private position = 0;
  private waiting: { position: number; resolve: () => void }[] = [];

  /** Resolves once the entry is durable. */
  reaches(position: number): Promise<void> {
    if (position <= this.position) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ position, resolve }));
  }

  /** The entry is durable now, with all before it. */
  is(position: number): void {
    this.position = position;
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = waiting.filter((waiter) => waiter.position > position);
    for (const waiter of waiting) if (waiter.position <= position) waiter.resolve();
  }
}
