// Attacks on the pages of the timelines.
import { hostileTests } from '@claret/site/e2e/hostile-tests.ts';
import { expect } from '@playwright/test';
import { expectInert, MARKUP } from '@claret/site/e2e/hostile.ts';
import { ask } from '@claret/site/e2e/people.ts';
import { follow, on, post, SERVERS, test } from './site.ts';

hostileTests(test, {
  servers: SERVERS,
  isSecond: true,
  nameField: 'Username',
  pages: ['/', '/discover', '/about', '/no/such/page'],
  async openAll(page) {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.keyboard.press('Escape');
  },
  async writeMarkup(author, other) {
    await follow(other, author);
    const post_id = await post(author, MARKUP);
    return [
      [other, '/'],
      [author, '/'],
      [other, `/p/${post_id}`],
      [other, `/u/${author.name}`],
    ];
  },
  async write(context) {
    const { user } = await ask<{ user: { username: string } }>(context, '/api/session');
    const done = async () => (await ask<{ entries: unknown[] }>(context, `/api/users/${user.username}/posts`)).entries;
    return { path: '/api/posts', body: { text: 'not mine' }, done };
  },
});

test('markup among the latest posts is shown as text too', async ({ enter }) => {
  const author = await enter('author');
  // Other tests post there too, so the page is opened right after the post, and again if newer posts were faster.
  await expect(async () => {
    await post(author, MARKUP);
    await author.page.goto('/discover?tab=latest');
    await expect(on(author.page).posts.first()).toBeVisible();
    await expect(author.page.getByText(MARKUP.slice(0, 34)).first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expectInert(author.page, '/discover?tab=latest');
});
