// Reposts and hashtags in a list.
import { expect } from '@playwright/test';
import { send } from '@claret/site/e2e/people.ts';
import type { EntryPage } from '../server/api.ts';
import { follow, look, newName, post, postWith, publish, test, write } from './site.ts';

const MINUTE_MS = 60_000;

test('a repost shows its own time and the post’s age', async ({ enter }) => {
  const [ada, ben, cyd] = [await enter('ada'), await enter('ben'), await enter('cyd')];
  await follow(cyd, ben);
  const post_id = await post(ada, 'An old thought');
  await send(ben.context, 'POST', `/api/posts/${post_id}/repost`);
  // As if it had been written eight hours ago and reposted five minutes ago.
  await cyd.context.route('**/api/timeline', async (route) => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer }); // a busy site: the page asks again
    const page = (await answer.json()) as EntryPage;
    for (const entry of page.entries) {
      entry.at_ms = page.server_time_ms - 5 * MINUTE_MS;
      entry.post.posted_at_ms = page.server_time_ms - 8 * 60 * MINUTE_MS;
    }
    return route.fulfill({ response: answer, json: page });
  });
  await look(cyd);
  const card = postWith(cyd.page, 'An old thought');
  await expect(card).toContainText(`${ben.name} reposted 5 minutes ago`);
  await expect(card.getByRole('link', { name: /^Posted 8 hours ago/ })).toBeVisible();
});

test('a hashtag leads to the posts that have it', async ({ enter }) => {
  const ada = await enter('ada');
  const tag = newName('tag');
  await post(ada, `First words on #${tag}`);
  await look(ada);
  await publish(ada.page, () => write(ada.page, `More on #${tag.toUpperCase()}!`));
  await postWith(ada.page, 'More on')
    .getByRole('link', { name: `#${tag.toUpperCase()}` })
    .click();
  await expect(ada.page).toHaveURL(new RegExp(`/t/${tag}$`));
  await expect(ada.page.getByRole('heading', { level: 1, name: `#${tag}` })).toBeVisible();
  const posts = ada.page.getByRole('list', { name: `Posts with #${tag}` }).getByRole('article');
  await expect(posts).toContainText([/^.*More on/, /^.*First words/]);
});
