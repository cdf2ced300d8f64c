// A post whose answer is lost is kept by the page, and is posted once, whatever happens to the answers.
import { expect, type Page } from '@playwright/test';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { look, on, postWith, publish, test, write } from './site.ts';

const POSTS = '**/api/posts';
const outgoing = (page: Page) => page.getByRole('list', { name: 'Posts being sent' }).getByRole('listitem');
const again = (page: Page) => outgoing(page).getByRole('button', { name: 'Try again' });

test('trying again does not post twice, also after a reload', async ({ enter }) => {
  const ada = await enter('ada');
  const { page } = ada;
  await look(ada);
  const keys: (string | undefined)[] = [];
  // The server receives the request, but its answer is lost.
  await page.route(POSTS, async (route) => {
    keys.push(route.request().headers()[REQUEST_KEY_HEADER]);
    await route.fetch();
    await route.abort();
  });
  await write(page, 'Said once');
  await expect(outgoing(page)).toContainText('This may not have been posted');
  await expect(outgoing(page).getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await again(page).click();
  await expect.poll(() => keys.length).toBe(2);
  await expect(again(page)).toBeVisible();
  await page.reload();
  await again(page).click();
  await expect.poll(() => keys.length).toBe(3);
  await expect(again(page)).toBeVisible();
  expect(keys[0]).toBeDefined();
  expect(new Set(keys).size).toBe(1);

  await page.unroute(POSTS);
  await publish(page, () => again(page).click());
  await expect(outgoing(page)).toHaveCount(0);
  await page.reload();
  await expect(on(page).posts.first()).toBeVisible();
  await expect(postWith(page, 'Said once')).toHaveCount(1);
});

test('a post that certainly did not arrive in time waits for its writer, and is sent as another request', async ({ enter }) => {
  const ada = await enter('ada');
  const { page } = ada;
  await look(ada);
  const keys: (string | undefined)[] = [];
  await page.route(POSTS, async (route) => {
    keys.push(route.request().headers()[REQUEST_KEY_HEADER]);
    if (keys.length === 1) return route.abort();
    const problem = { code: 'key_expired', status: 409, detail: 'It didn’t arrive in time.', server_time_ms: Date.now() };
    return route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await write(page, 'Said too late');
  await expect(outgoing(page)).toContainText('This may not have been posted');
  await again(page).click();
  await expect(outgoing(page)).toContainText('Not posted. It didn’t arrive in time.');
  await expect(outgoing(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  expect(new Set(keys).size).toBe(1);

  await page.unroute(POSTS);
  const request = page.waitForRequest(POSTS);
  await publish(page, () => again(page).click());
  expect(keys).not.toContain((await request).headers()[REQUEST_KEY_HEADER]);
  await expect(postWith(page, 'Said too late')).toHaveCount(1);
});
