// The actions of visitors of the timelines, for all scenarios: one function for each action, which writes to the ledger.

import type { Posted } from '../../../../apps/retwis/server/api.ts';
import type { StormPerson } from '../storm.ts';
import { serversOf } from '../../../kit/browser.ts';
import { needed, storm } from './data.ts';
import { madeUpId, pick } from '../../../kit/random.ts';
import { postsIn, toRepost, wishFor, type Fascinating } from './reposting.ts';
import { tell } from './tell.ts';
import { Site, parsed, type Answer, type Written } from './site.ts';

const site = new Site('timelines');
const TEXTS = [
  'White and gold.',
  'Blue and black, look again.',
  'I see both now.',
  'Has anybody seen the real one?',
  'My cat does not care.',
];

export class TimelineVisitor {
  readonly random: () => number;
  readonly person: StormPerson;
  /** the visitor's app server */
  readonly #base: string;
  /** that, and another one, if there is one */
  readonly #servers: ReturnType<typeof serversOf>;

  constructor(random: () => number, person: StormPerson) {
    this.random = random;
    this.person = person;
    this.#servers = serversOf(needed(storm.timelines, 'timelines'), random);
    this.#base = this.#servers[0];
  }

  /** Requests a public page, without a session. */
  look(name: string, path: string): void {
    this.#seen(name, site.look(name, this.#base + path, null));
  }

  /** Requests the own timeline, and reposts popular posts on it (reposting.ts). Returns the acknowledged reposts. */
  timeline(again: number, fascinating: Fascinating | null = null): string[] {
    const wish = wishFor(this.random, again, fascinating);
    const url = `${this.#base}/api/timeline`;
    const outForNothing = wish.count === 0 && wish.also === null;
    const answer = outForNothing ? site.look('Timeline', url, this.person) : site.read('Timeline', url, this.person);
    this.#seen('Timeline', answer);
    if (answer.outcome !== 'accepted' || answer.body === null) return [];
    return toRepost(postsIn(answer.body), wish).filter((post_id) => this.repost(post_id));
  }

  /** Returns whether the repost was acknowledged. */
  repost(post_id: string): boolean {
    return this.#switch('repost', 'POST', post_id);
  }

  unrepost(post_id: string): boolean {
    return this.#switch('unrepost', 'DELETE', post_id);
  }

  #switch(kind: 'repost' | 'unrepost', method: 'POST' | 'DELETE', post_id: string): boolean {
    const name = kind === 'repost' ? 'Repost' : 'UndoRepost';
    const answer = this.#write(name, method, `/api/posts/${post_id}/repost`, null);
    tell(kind, answer, this.person.id, { post: post_id });
    return answer.outcome === 'accepted';
  }

  post(): void {
    const text = pick(this.random, TEXTS);
    const answer = this.#write('Post', 'POST', '/api/posts', { text });
    tell('post', answer, this.person.id, { text, key: answer.key!, post_id: parsed<Posted>(answer)?.entry.post.id });
  }

  follow(username: string): void {
    const answer = this.#write('Follow', 'POST', `/api/users/${username}/follow`, null);
    tell('follow', answer, this.person.id, { who: username });
  }

  register(): void {
    const name = `s${madeUpId(this.random, 14)}`;
    const { answer } = site.session(
      'NewUser',
      `${this.#base}/api/register`,
      { username: name, password: madeUpId(this.random) },
      this.random,
    );
    tell('register', answer, parsed<{ user: { id: string } | null }>(answer)?.user?.id ?? '', { name });
  }

  #write(name: string, method: 'POST' | 'DELETE', path: string, body: object | null): Written {
    return site.write(name, method, path, { at: this.#servers, person: this.person, body, random: this.random });
  }

  #seen(name: string, answer: Answer): void {
    tell('read', answer, this.person.id, { page: name });
  }
}
