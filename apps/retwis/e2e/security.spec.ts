// The timelines' pages against those who mean harm.
import { hostileTests } from '@claret/site/e2e/hostile-tests.ts';
import { MARKUP } from '@claret/site/e2e/hostile.ts';
import { ask } from '@claret/site/e2e/people.ts';
import { follow, post, SERVERS, test } from './site.ts';

hostileTests(test, {
  servers: SERVERS,
  nameField: 'Username',
  pages: ['/', '/discover', '/about', '/no/such/page'],
  async openAll(page) {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.keyboard.press('Escape');
  },
  async writeMarkup(author, other) {
    await follow(other, author);
    const post_id = await post(author, MARKUP);
    return [[other, '/'], [author, '/'], [other, `/p/${post_id}`], [other, `/u/${author.name}`], [other, '/discover?tab=latest']];
  },
  async write(context) {
    const { user } = await ask<{ user: { username: string } }>(context, '/api/session');
    const done = async () => (await ask<{ entries: unknown[] }>(context, `/api/users/${user.username}/posts`)).entries;
    return { path: '/api/posts', body: { text: 'not mine', draft_id: 'draft-from-elsewhere' }, done };
  },
});
