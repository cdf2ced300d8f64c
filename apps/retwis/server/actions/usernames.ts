// The people whom the app server has met, by id and by name, so that a timeline does not read its reposters again and again, nor a page the person
// whom its address names.
//
// An entry is never stale: usernames never change, people are never removed, and misses are not cached. So app servers need no
// invalidation, and a new one only reads more.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';

/** about 16 MB */
const KEPT_MAX = 65_536;

export class Usernames {
  readonly #max: number;
  /** in order of insertion */
  readonly #kept = new Map<string, UserRef>();
  /** the same people by username, in lower case */
  readonly #named = new Map<string, UserRef>();

  constructor(max = KEPT_MAX) {
    this.#max = max;
  }

  /** The people with these ids, as far as they exist. Profiles are written once, so a transaction over all shards never waits. */
  async of(claret: Claret, user_ids: readonly string[]): Promise<ReadonlyMap<string, UserRef>> {
    const found = new Map<string, UserRef>();
    const missing: string[] = [];
    for (const user_id of new Set(user_ids)) {
      const kept = this.#kept.get(user_id);
      if (kept === undefined) missing.push(user_id);
      else found.set(user_id, kept);
    }
    if (missing.length === 0) return found;
    const profiles = await claret.transact(
      'Usernames',
      missing.map((user_id) => claret.on.dict(key.profile(user_id)).get('username')),
    );
    missing.forEach((id, i) => {
      const [username] = profiles[i]!;
      if (typeof username !== 'string') return;
      found.set(id, { id, username });
      this.keep({ id, username });
    });
    return found;
  }

  /** The person with this username, in any case; null: not met. */
  named(username: string): UserRef | null {
    return this.#named.get(username.toLowerCase()) ?? null;
  }

  /** REQUIRES: a person of the site. */
  keep(user: UserRef): void {
    this.#kept.set(user.id, user);
    this.#named.set(user.username.toLowerCase(), user);
    if (this.#kept.size <= this.#max) return;
    const [oldest] = this.#kept.values();
    this.#kept.delete(oldest!.id);
    this.#named.delete(oldest!.username.toLowerCase());
  }
}
