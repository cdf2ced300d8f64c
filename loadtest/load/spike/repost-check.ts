// The reposts of a spike's post, for the invariant of reposts (invariants/reposts.ts). Visitors may repost the post too.

import type { Claret } from '@claret/client';
import { key } from '../../../apps/retwis/server/model.ts';
import { Findings } from '../../invariants/findings.ts';
import { reposterFindings } from '../../invariants/reposts.ts';
import { readAll } from '../../kit/checking.ts';
import { Store } from '../../kit/store.ts';
import type { Checked } from './spike.ts';

export class RepostCheck {
  readonly #post_id: string;
  /** by user id: whether they have reposted it, as acknowledged */
  readonly #fans: Map<string, boolean>;
  /** responses that no transaction of the spike may get; each once */
  readonly #surprises = new Set<string>();

  constructor(post_id: string, fans: readonly string[]) {
    this.#post_id = post_id;
    this.#fans = new Map(fans.map((user_id) => [user_id, false]));
  }

  hasReposted(user_id: string): boolean {
    return this.#fans.get(user_id) === true;
  }

  /** `has` false: an undo was acknowledged. */
  reposted(user_id: string, has: boolean): void {
    this.#fans.set(user_id, has);
  }

  /** An action had no response: this fan is not checked, because the action may still take effect. */
  unsure(user_id: string): void {
    this.#fans.delete(user_id);
  }

  surprised(what: string): void {
    this.#surprises.add(what);
  }

  async check(claret: Claret): Promise<Checked> {
    const findings = new Findings('reposts');
    for (const text of this.#surprises) findings.say(`post ${this.#post_id}: ${text}`);
    const reposters = [...this.#fans].map(([user_id, has]) => ({ post_id: this.#post_id, user_id, mayBe: [has] }));
    findings.addAll(await reposterFindings(new Store(claret), reposters));
    const acknowledged = reposters.filter(({ mayBe: [has] }) => has);
    const found = await readAll(
      claret,
      acknowledged.map(({ user_id }) => claret.on.set(key.post_reposts(this.#post_id)).contains(user_id)),
    );
    const stored = found.filter((isThere) => isThere === true).length;
    return { what: 'reposts', acknowledged: acknowledged.length, stored, mismatches: findings.sentences() };
  }
}
