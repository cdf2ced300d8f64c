// Log: where a shard's entries are kept, in order (docs/wire-format.md, "The log"). The shard host appends what the core
// hands out and tells the core when it is durable; a shard that starts is fed from it.

export interface Log {
  /**
   * Keeps whole entries, the last of which is number `position`. `durable` is called later, never within the call, once
   * they and all before them would survive a crash; in order, and perhaps once for several appends.
   */
  append(entries: Uint8Array, position: number, durable: (position: number) => void): void;
  /** Everything that is kept, in pieces of whole entries, in order. Read once, before the first append. */
  read(): Iterable<Uint8Array>;
}
