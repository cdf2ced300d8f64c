// Shared by the timelines' browser tests: posting and following through the site's API, and locators of what people see on the pages.
import { expect, type Locator, type Page } from '@playwright/test';
import { PASSWORD, send, sent, serversNamed, testOf, type Person } from '@claret/site/e2e/people.ts';
import type { Followed, Posted } from '../server/api.ts';

export { newName, PASSWORD, type Person } from '@claret/site/e2e/people.ts';

const VARIABLE = 'CLARET_TEST_TIMELINES';
export const SERVERS = serversNamed(VARIABLE);

export const test = testOf({
  servers: SERVERS,
  variable: VARIABLE,
  signUp: (context, username) => send(context, 'POST', '/api/register', { username, password: PASSWORD }),
});

/** Posts as this person through the API, without their page. */
export async function post(person: Person, text: string): Promise<string> {
  const { entry } = await send<Posted>(person.context, 'POST', '/api/posts', { text });
  return entry.post.id;
}

export const follow = (person: Person, whom: Person): Promise<Followed> => send(person.context, 'POST', `/api/users/${whom.name}/follow`);

/** The page's elements by the names that people see. */
export const on = (page: Page) => ({
  field: page.getByRole('main').getByRole('textbox', { name: 'What’s happening?' }),
  send: page.getByRole('main').getByRole('form', { name: 'Write a post' }).getByRole('button', { name: 'Post' }),
  news: page.getByRole('button', { name: /^\d+ new posts?$/ }),
  posts: page.getByRole('main').getByRole('article'),
  live: page.getByRole('status').getByText('Live', { exact: true }),
});

/** The post with this text, in any list of the page. */
export const postWith = (page: Page, text: string): Locator => page.getByRole('article').filter({ hasText: text });

/** The repost button in a list: it reposts or takes the repost back, and shows the number of reposts. */
export const repostButton = (card: Locator): Locator => card.getByRole('button', { name: /^Repost\b/ });

/** The follow button on a profile. */
export const followButton = (page: Page, name: string) => ({
  follow: page.getByRole('main').getByRole('button', { name: `Follow ${name}`, exact: true }),
  unfollow: page.getByRole('main').getByRole('button', { name: `Following ${name}: unfollow` }),
});

/** Opens a page of the site and waits until it is live. */
export async function look(person: Person, address = '/'): Promise<void> {
  await person.page.goto(address);
  await expect(on(person.page).live).toBeVisible();
}

/** Waits for a post that the page receives. It may be part of a list that is still being read, or wait behind the pill. */
export async function expectNews(page: Page, text: string): Promise<void> {
  await expect(async () => {
    if (await on(page).news.isVisible()) await on(page).news.click({ timeout: 5_000 });
    await expect(postWith(page, text)).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

/** Writes a post on the page, and sends it, whatever becomes of it. */
export async function write(page: Page, text: string): Promise<void> {
  await on(page).field.fill(text);
  await on(page).send.click();
}

/** Sends a post from the page, and waits until the site has it. `begin`: what sends it first; a post that a busy site refuses waits in the page. */
export async function publish(page: Page, begin: () => Promise<void>): Promise<void> {
  let isFirst = true;
  await sent(page, '/api/posts', async () => {
    await (isFirst ? begin() : page.getByRole('button', { name: 'Try again' }).click());
    isFirst = false;
  });
}

/** Presses what the page shows as done at once, and waits until the site has done it. */
export async function press(what: '/follow' | '/repost', button: Locator): Promise<void> {
  await sent(button.page(), what, () => button.click());
}

/** Fills in the form of a new account or of a login, and sends it. */
export async function comeIn(page: Page, action: 'Sign up' | 'Log in', username: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  const path = action === 'Sign up' ? '/api/register' : '/api/login';
  await sent(page, path, () => page.getByRole('main').getByRole('button', { name: action, exact: true }).click());
}

/** The composer over the page, which is available at any width. */
export async function openComposer(page: Page): Promise<{ field: Locator; send: Locator }> {
  await page.getByRole('banner').getByRole('button', { name: 'Post', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Write a post' });
  return { field: dialog.getByRole('textbox'), send: dialog.getByRole('button', { name: 'Post', exact: true }) };
}
