// Watches: standing questions about records. A change is told with the newest state; states between may be passed over.
// A watch outlives its sessions: it is resumed from the last change seen, and after a restart of the shard from nothing.

import type { Client } from './client.ts';
import { ClaretError } from './errors.ts';
import type { Description } from './operation.ts';
import type { Session } from './session.ts';
import { resultOf } from './values.ts';
import type { Call, Wide } from './wire/client-frame.ts';
import type { Change as WireChange } from './wire/server-frame.ts';

/** One record's newest committed state. */
export interface Change<Result = unknown> {
  key: string;
  /** what the watched operation answers; undefined with an error */
  value: Result;
  /** of the newest commit that changed the record, a little more where an older one took effect after it; 0 before the first */
  timestamp: bigint;
  /** the position of the operation in the list that was watched */
  index: number;
  /** the watch could not be kept: a record of another type now stands at the key, say */
  error?: ClaretError;
}

export type Listener<Result> = (change: Change<Result>) => void;

export interface Watch {
  close(): void;
}

/** One watched operation. */
export interface WatchEntry {
  readonly id: number;
  readonly call: Call;
  readonly session: Session;
  readonly index: number;
  readonly listener: Listener<never>;
  /** timestamp of the last change seen */
  since: Wide;
  told: boolean;
}

export class Watches {
  readonly #client: Client;
  readonly #entries = new Map<number, WatchEntry>();
  #nextId = 1;

  constructor(client: Client) {
    this.#client = client;
  }

  add<Result>(descriptions: readonly Description<Result>[], listener: Listener<Result>, since: bigint): Watch {
    const entries = descriptions.map((call, index): WatchEntry => ({
      id: this.#nextId++,
      call,
      session: this.#client.sessionOf(call.key),
      index,
      listener: listener as Listener<never>,
      since: { high: Number(since >> 32n), low: Number(since & 0xffffffffn) },
      told: false,
    }));
    for (const entry of entries) {
      this.#entries.set(entry.id, entry);
      entry.session.watch(entry);
    }
    return {
      close: () => {
        for (const { id, session } of entries) if (this.#entries.delete(id)) session.unwatch(id);
      },
    };
  }

  /** What a session that has just become live has to ask for. */
  of(session: Session, restarted: boolean): WatchEntry[] {
    const entries = [...this.#entries.values()].filter((entry) => entry.session === session);
    if (restarted) {
      for (const entry of entries) {
        entry.since = { high: 0, low: 0 };
        entry.told = false;
      }
    }
    return entries;
  }

  onChange(change: WireChange): void {
    const entry = this.#entries.get(change.id);
    if (entry === undefined) return;
    const { high, low } = change.timestamp;
    const { since } = entry;
    // After a resumption the newest state may come twice.
    if (entry.told && change.error === null && high === since.high && low === since.low) return;
    entry.told = true;
    entry.since = { high, low };
    const told: Change<never> = {
      key: entry.call.key,
      value: (change.error === null ? resultOf(entry.call.spec.result, change.value) : undefined) as never,
      timestamp: (BigInt(high) << 32n) | BigInt(low),
      index: entry.index,
    };
    if (change.error !== null) told.error = new ClaretError(change.error);
    this.#client.tell(entry.listener, told);
  }
}
