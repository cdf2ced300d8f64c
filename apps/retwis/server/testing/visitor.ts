// For tests: a visitor of the timelines site.
import { SiteVisitor, type Answer } from '@claret/site/testing/visitor.ts';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';

import type { Entry } from '../api.ts';

export const PASSWORD = 'correct horse';

export class Visitor extends SiteVisitor {
  username = '';

  register(username: string): Promise<this> {
    this.username = username;
    return this.signUp({ username, password: PASSWORD });
  }

  /** `key`: of the request; missing: it has none, and every call posts */
  tryPost(text: unknown, key?: string): Promise<Answer> {
    const headers = { [CSRF_HEADER]: '1', ...(key === undefined ? {} : { [REQUEST_KEY_HEADER]: key }) };
    return this.send('POST', '/api/posts', { text }, headers);
  }

  /** Returns the post's id. */
  async write(text: string): Promise<string> {
    const answer = await this.tryPost(text);
    if (answer.status !== 201) throw new Error(answer.raw.body);
    return (answer.body['entry'] as Entry).id;
  }

  async follow(username: string): Promise<void> {
    const answer = await this.post(`/api/users/${username}/follow`);
    if (answer.status !== 201) throw new Error(answer.raw.body);
  }

  async repost(post_id: string): Promise<void> {
    const answer = await this.post(`/api/posts/${post_id}/repost`);
    if (answer.status !== 201) throw new Error(answer.raw.body);
  }

  /** A page of entries: its texts, newest first, and the cursor of the next page. */
  async entries(url = '/api/timeline'): Promise<{ entries: Entry[]; texts: string[]; next: string | null }> {
    const { status, body, raw } = await this.get(url);
    if (status !== 200) throw new Error(raw.body);
    const entries = body['entries'] as Entry[];
    return { entries, texts: entries.map(({ post }) => post.text), next: body['next_cursor'] as string | null };
  }
}
