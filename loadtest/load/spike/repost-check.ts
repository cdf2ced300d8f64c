// Who has reposted a viral post, as acknowledged, held against what is stored: each of the fans stands among those who
// have reposted it, and has it on the own page, or neither. Visitors may have reposted it too.

import type { Claret } from '@claret/client';
import { key, repostEntry } from '../../../apps/retwis/server/model.ts';
import { readAll } from '../../kit/checking.ts';

const SHOWN_MAX = 10;

export class RepostCheck {
  readonly #post_id: string;
  /** by user id: whether they have reposted it */
  readonly #fans: Map<string, boolean>;
  /** what no transaction may be told; each once */
  readonly #surprises = new Set<string>();

  constructor(post_id: string, fans: readonly string[]) {
    this.#post_id = post_id;
    this.#fans = new Map(fans.map((user_id) => [user_id, false]));
  }

  hasReposted(user_id: string): boolean {
    return this.#fans.get(user_id) === true;
  }

  /** Did so, or undid it. */
  reposted(user_id: string, has: boolean): void {
    this.#fans.set(user_id, has);
  }

  /** Nobody knows whether they have: they are not checked. */
  unsure(user_id: string): void {
    this.#fans.delete(user_id);
  }

  surprised(what: string): void {
    this.#surprises.add(what);
  }

  async mismatches(claret: Claret): Promise<string[]> {
    const { on } = claret;
    const fans = [...this.#fans];
    const stored = await readAll<unknown>(
      claret,
      fans.flatMap(([user_id]) => [
        on.set(key.post_reposts(this.#post_id)).contains(user_id),
        on.scoredSet(key.posts(user_id)).score(repostEntry(this.#post_id, user_id)),
      ]),
    );
    const found = fans.flatMap(([user_id, has], i) => {
      const [counted, listed] = [stored[2 * i] === true, stored[2 * i + 1] !== null];
      if (counted === has && listed === has) return [];
      return [
        `${user_id} ${has ? 'has' : 'has not'} reposted it, but is ${counted ? '' : 'not '}counted and has it ${listed ? '' : 'not '}on their page`,
      ];
    });
    const left = found.length - SHOWN_MAX;
    const more = left > 0 ? [`so it is with ${left} more`] : [];
    return [...this.#surprises, ...found.slice(0, SHOWN_MAX), ...more].map((text) => `post ${this.#post_id}: ${text}`);
  }
}
