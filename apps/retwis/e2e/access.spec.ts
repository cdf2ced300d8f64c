// Accessibility: by keyboard alone, on a phone, in the dark, and at unknown addresses.
import { expect } from '@playwright/test';
import { stickingOut, send, sent, tabTo } from '@claret/site/e2e/people.ts';
import { arrive } from '@claret/ui/kit/e2e/reach.ts';
import { comeIn, follow, newName, on, PASSWORD, post, postWith, publish, test } from './site.ts';

test('a visitor can sign up, post and repost with the keyboard alone', async ({ enter, page }) => {
  const ada = await enter('ada');
  const post_id = await post(ada, 'Pass me on by keyboard');
  const username = newName('kim');
  await page.goto('/register');
  await tabTo(page, 'Username');
  await page.keyboard.type(username);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await sent(page, '/api/register', () => page.keyboard.press('Enter'));
  await expect(page.getByRole('button', { name: `Account of ${username}` })).toBeVisible();

  await page.goto('/');
  await expect(on(page).live).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'What’s happening?');
  await page.keyboard.type('Written without a mouse');
  await tabTo(page, 'Post');
  await publish(page, () => page.keyboard.press('Enter'));
  await expect(postWith(page, 'Written without a mouse')).toBeVisible();

  await page.goto(`/p/${post_id}`);
  await expect(page.getByRole('button', { name: 'Repost', exact: true })).toBeVisible();
  await tabTo(page, 'Repost');
  await sent(page, '/repost', () => page.keyboard.press('Space'));
  await expect(page.getByRole('button', { name: 'Undo repost' })).toBeFocused();
  await expect(page.getByRole('main').getByRole('article')).toContainText('1 repost');
});

test('Control and Enter send a post, and the next can be written at once', async ({ enter }) => {
  const { page } = await enter('ada');
  await page.goto('/');
  await on(page).field.click();
  for (const text of ['One', 'Two']) {
    await page.keyboard.type(`${text} with keys`);
    await page.keyboard.press('Control+Enter');
    await expect(on(page).field).toBeFocused();
    await expect(on(page).field).toHaveValue('');
  }
  await expect(on(page).posts.filter({ hasText: 'with keys' })).toContainText(['Two with keys', 'One with keys']);
});

test('nothing is wider than a 360 pixel screen', async ({ enter }) => {
  const ada = await enter('a_long_long');
  const ben = await enter('ben');
  await follow(ada, ben);
  const post_id = await post(ben, `Extraordinarily${'long'.repeat(30)} https://example.org/${'path/'.repeat(20)}`);
  await post(ada, '👨‍👩‍👧‍👦'.repeat(60));
  const { page } = ada;
  await page.setViewportSize({ width: 360, height: 740 });
  const pages = [
    '/',
    '/discover',
    '/discover?tab=latest',
    '/discover?tab=people',
    `/u/${ben.name}`,
    `/u/${ben.name}?tab=followers`,
    `/p/${post_id}`,
    '/about',
  ];
  for (const path of pages) {
    await arrive(page, path);
    expect(await stickingOut(page), path).toEqual([]);
  }
  // While there is no connection yet, the header says so in a longer word.
  await page.route('**/api/live**', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('status').getByText(/^(Rec|C)onnecting$/)).toBeVisible();
  expect(await stickingOut(page)).toEqual([]);
});

test('unknown addresses say so and offer a way on', async ({ page }) => {
  for (const [path, title] of [
    ['/no/such/page', 'Page not found'],
    ['/p/nothing', 'No such post'],
    ['/p/%20', 'No such post'],
    ['/u/nobody_at_all', 'No such user'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.getByRole('link', { name: 'See what’s happening' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible();
});

test('a logout in another window is noticed, and the draft is there again after the next login', async ({ enter }) => {
  const { page, context, name } = await enter('ada');
  await page.goto('/');
  await on(page).field.fill('Half a thought');
  await page.reload();
  await expect(on(page).field).toHaveValue('Half a thought');
  await send(context, 'POST', '/api/logout');
  await page.getByRole('link', { name: 'Log in' }).first().click();
  await comeIn(page, 'Log in', name);
  await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible();
  await page.goto('/');
  await expect(on(page).field).toHaveValue('Half a thought');
});
