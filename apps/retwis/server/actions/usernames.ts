// Usernames by id, kept in the app server so that a timeline does not read who reposted again and again.
//
// What is kept is never stale: a username never changes, a person never goes, and who is not found is not kept. So app
// servers need not tell each other anything, and one that has just started only reads more.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';

/** About 10 MB. */
const KEPT_MAX = 65_536;

export class Usernames {
  readonly #max: number;
  /** in the order in which they came */
  readonly #kept = new Map<string, UserRef>();

  constructor(max = KEPT_MAX) {
    this.#max = max;
  }

  /** Those of the people that there are. Profiles are written once, so one transaction over all shards waits for nobody. */
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
      this.#keep({ id, username });
    });
    return found;
  }

  #keep(user: UserRef): void {
    this.#kept.set(user.id, user);
    if (this.#kept.size <= this.#max) return;
    const [first] = this.#kept.keys();
    this.#kept.delete(first!);
  }
}
