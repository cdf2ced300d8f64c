// Scrolling through a timeline while others post.
import { expect } from '@playwright/test';
import { ask } from '@claret/site/e2e/people.ts';
import { LIMITS, type Profile, type Trending } from '../server/api.ts';
import { follow, look, on, post, SERVERS, test, type Person } from './site.ts';

const POSTS = 65;

test('every entry appears once while scrolling to the end and others post', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada);
  for (let i = POSTS; i >= 1; i--) await post(ada, `Chapter ${i}.`);
  await look(ben);
  const words = on(ben.page).posts.locator('[dir=auto]');
  await expect(words.first()).toHaveText('Chapter 1.');
  const isAtEnd = async () => (await words.last().textContent()) === `Chapter ${POSTS}.`;
  for (let round = 0; !(await isAtEnd()); round++) {
    expect(round, 'scrolling leads to the end').toBeLessThan(20);
    await post(ada, `Meanwhile ${round}.`);
    const before = await words.count();
    await words.last().scrollIntoViewIfNeeded();
    await ben.page.keyboard.press('End');
    await expect.poll(async () => (await words.count()) > before || (await isAtEnd())).toBe(true);
  }
  const shown = await words.allTextContents();
  expect(shown).toEqual(Array.from({ length: POSTS }, (_, i) => `Chapter ${i + 1}.`));

  // New entries wait above the list; showing them duplicates none of the rest.
  await expect(on(ben.page).news).toBeVisible();
  await on(ben.page).news.click();
  await expect(words.first()).toHaveText(/^Meanwhile/);
  const after = await words.allTextContents();
  expect(new Set(after).size).toBe(after.length);
});

/** A person of the data set whose followers fill more than a page. */
async function somebodyFollowed(person: Person): Promise<{ username: string; followers: number }> {
  const { posts } = await ask<Trending>(person.context, '/api/trending');
  for (const username of new Set(posts.map(({ author }) => author.username))) {
    const { followers } = await ask<Profile>(person.context, `/api/users/${username}`);
    if (followers > LIMITS.people_page_size) return { username, followers };
  }
  throw new Error('no author of a trending post has enough followers');
}

test('a list of people can be scrolled to its end as well', async ({ enter }) => {
  const ada = await enter('ada');
  const { username, followers } = await somebodyFollowed(ada);
  await look(ada, `/u/${username}?tab=followers`);
  const rows = ada.page.getByRole('tabpanel').getByRole('button', { name: /^Follow / });
  await expect(rows.first()).toBeVisible();
  for (let shown = await rows.count(); shown < followers; shown = await rows.count()) {
    await rows.last().scrollIntoViewIfNeeded();
    await ada.page.keyboard.press('End');
    await expect.poll(() => rows.count()).toBeGreaterThan(shown);
  }
  expect(new Set(await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).size).toBe(followers);
});
