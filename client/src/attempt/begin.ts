// The beginning of an attempt at one shard, as the shard is told of it.

import type { Begin } from '../wire/client-frame.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import type { Branch } from './branch.ts';
import { microseconds, timeBefore } from './elapsed.ts';

export interface Beginning {
  readonly owner: AttemptOwner;
  readonly branches: readonly Branch[];
  readonly epochManager: number | null;
}

/** The id of the attempt begins at `idAt` in `ids`. `home`: at the home shard of a transaction with an id; null: it has none. */
export interface Ids {
  readonly ids: Uint8Array;
  readonly idAt: number;
  readonly home: Branch | null;
}

export function beginOf({ owner, branches, epochManager }: Beginning, branch: Branch, { ids, idAt, home }: Ids, nowMs: number): Begin {
  const first = branches[0]!;
  return {
    ids,
    idAt,
    label: owner.label,
    priority: owner.priority,
    retries: owner.retries,
    breaks: owner.breaks,
    home: first.shard,
    expiresInMs: Math.max(1, Math.ceil(owner.deadlineMs - nowMs)),
    exclusive: owner.lockSets?.get(branch.shard)?.exclusive ?? [],
    // Only the home shard counts these times.
    ageUs: branch === first ? microseconds(nowMs - owner.begunMs) : 0,
    before: branch === first ? timeBefore(owner) : null,
    transaction: branch === home ? owner.identity!.bytes : null,
    epochManager,
  };
}
