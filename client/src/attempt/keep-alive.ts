// Keeping an attempt alive: while it waits at one shard, nothing is asked of the others, and a shard ends what is silent for long while others wait
// for it. So those get a request without operations now and then.

/** Well below the shards' `idleMs` (docs/rules.md), and longer than nearly all waits. */
const SILENT_MS = 400;

/** What of an attempt is at one shard. */
export interface KeptPart {
  keepAlive?(nowMs: number): void;
}

/** To be called periodically. */
export function keepAlive({ parts, waits }: { readonly parts: readonly KeptPart[]; readonly waits: boolean }, nowMs: number): void {
  if (parts.length > 1 && waits) for (const part of parts) part.keepAlive?.(nowMs);
}

/** How long nothing was asked of one shard, and whether an empty request is to end the silence. */
export class Silence {
  isEnding = false;
  #sinceMs = 0;

  asked(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.isEnding = false;
  }

  /** Returns true if it has lasted for long enough. */
  end(nowMs: number): boolean {
    return (this.isEnding = nowMs - this.#sinceMs >= SILENT_MS);
  }
}
