// A timeline goes on as one reads it, whatever is posted meanwhile.
import { expect, request } from '@playwright/test';
import { send } from '@claret/site/e2e/people.ts';
import { follow, look, newName, on, PASSWORD, post, SERVERS, test } from './site.ts';

const POSTS = 65;
const FOLLOWERS = 33;

test('every entry comes once as one scrolls to the end, while others post', async ({ enter }) => {
  test.slow();
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada);
  for (let i = POSTS; i >= 1; i--) await post(ada, `Chapter ${i}.`);
  await look(ben);
  const words = on(ben.page).posts.locator('[dir=auto]');
  await expect(words.first()).toHaveText('Chapter 1.');
  for (let round = 0; (await words.last().textContent()) !== `Chapter ${POSTS}.`; round++) {
    expect(round, 'scrolling leads to the end').toBeLessThan(20);
    await post(ada, `Meanwhile ${round}.`);
    const before = await words.count();
    await words.last().scrollIntoViewIfNeeded();
    await ben.page.keyboard.press('End');
    await expect.poll(() => words.count()).toBeGreaterThan(before);
  }
  const shown = await words.allTextContents();
  expect(shown).toEqual(Array.from({ length: POSTS }, (_, i) => `Chapter ${i + 1}.`));

  // Above, what came meanwhile waits; taken in, nothing of the rest is doubled.
  await expect(on(ben.page).news).toBeVisible();
  await on(ben.page).news.click();
  await expect(words.first()).toHaveText(/^Meanwhile/);
  const after = await words.allTextContents();
  expect(new Set(after).size).toBe(after.length);
});

test('a list of people goes on as well', async ({ enter }) => {
  test.slow();
  const ada = await enter('ada');
  for (let i = 0; i < FOLLOWERS; i++) {
    const somebody = await request.newContext({ baseURL: SERVERS[i % 2]! });
    await send(somebody, 'POST', '/api/register', { username: newName(`f${i}`), password: PASSWORD });
    await send(somebody, 'POST', `/api/users/${ada.name}/follow`);
    await somebody.dispose();
  }
  await look(ada, `/u/${ada.name}?tab=followers`);
  const rows = ada.page.getByRole('main').getByRole('button', { name: /^Follow f\d+_/ });
  await expect(rows.first()).toBeVisible();
  await rows.last().scrollIntoViewIfNeeded();
  await ada.page.keyboard.press('End');
  await expect(rows).toHaveCount(FOLLOWERS);
  expect(new Set(await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).size).toBe(FOLLOWERS);
});
