// Changes of records for which a caller without a Claret client waits, instead of asking again and again. A watch tells of them, so a change
// counts once it is committed, and those that follow each other closely may be told as one.
import type { Claret } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { describeNamed, type NamedOperation } from './operations.ts';

/** Callers that wait at once. */
export const AWAITED_CHANGES_MAX = 1_000;

export class AwaitedChanges {
  private readonly claret: Claret;
  private readonly catalogue: Catalogue;
  private readonly ends = new Set<() => void>();
  private isClosed = false;

  constructor(claret: Claret, catalogue: Catalogue) {
    this.claret = claret;
    this.catalogue = catalogue;
  }

  /**
   * Resolves with true once what the operation reads may have changed after `since`, the timestamp of an earlier read. False: it has not within
   * `waitMs`, or the gateway closes. Throws `overloaded`.
   */
  async change(operation: NamedOperation, since: bigint, { waitMs, gone }: { waitMs: number; gone: AbortSignal }): Promise<boolean> {
    if (this.ends.size >= AWAITED_CHANGES_MAX) {
      throw new GatewayError('overloaded', `${AWAITED_CHANGES_MAX} callers already wait for changes at this gateway.`);
    }
    if (this.isClosed || gone.aborted) return false;
    const watched = [describeNamed(this.catalogue, operation)];
    return new Promise((resolve) => {
      const ended = (hasChanged: boolean): void => {
        watch.close();
        clearTimeout(timer);
        gone.removeEventListener('abort', end);
        this.ends.delete(end);
        resolve(hasChanged);
      };
      const end = (): void => ended(false);
      const watch = this.claret.watch(watched, () => ended(true), { since }); // first: nothing is left behind if it throws
      const timer = setTimeout(end, waitMs);
      gone.addEventListener('abort', end);
      this.ends.add(end);
    });
  }

  /** Ends all waiting. */
  close(): void {
    this.isClosed = true;
    for (const end of this.ends) end();
  }
}
