// Notifications: the watch list, the bell, the inbox.
import { expect } from '@playwright/test';
import { logInFromHere, look, on, openAuction, placeBid, SERVERS, test } from './site.ts';

test('watching is counted live, kept on the watch list, and can be undone', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const address = await openAuction(seller, { title: 'Tin Robot' });
  await look(ada, address);
  await look(ben, address);
  await ada.page.getByRole('button', { name: /^Watch.*\b0 people are watching/ }).click();
  await expect(ada.page.getByRole('button', { name: /^Watching.*\b1 person is watching/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(ben.page.getByRole('button', { name: /^Watch.*\b1 person is watching/ })).toHaveAttribute('aria-pressed', 'false');
  await ada.page.goto('/me?tab=watching');
  await ada.page.getByRole('list', { name: 'Watching' }).getByRole('link', { name: 'Tin Robot' }).click();
  await ada.page.getByRole('button', { name: /^Watching/ }).click();
  await expect(ada.page.getByRole('button', { name: /^Watch.*\b0 people are watching/ })).toBeVisible();
  await ada.page.goto('/me?tab=watching');
  await expect(ada.page.getByRole('heading', { name: 'You’re not watching anything' })).toBeVisible();
});

test('watching can be stopped on the watch list itself, and a failure is reported', async ({ enter }) => {
  const seller = await enter('seller');
  const { page } = await enter('ada');
  for (const title of ['Tin Robot', 'Brass Lamp']) {
    await page.goto(await openAuction(seller, { title }));
    await page.getByRole('button', { name: /^Watch/ }).click();
    await expect(page.getByRole('button', { name: /^Watching.*\b1 person is watching/ })).toBeVisible();
  }
  await page.goto('/me?tab=watching');
  const list = page.getByRole('list', { name: 'Watching' });
  const busy = { code: 'busy', status: 503, title: 'busy', type: '/problems/busy', detail: 'Nothing has happened; please try again.' };
  await page.route('**/watch', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(busy) }),
  );
  await list.getByRole('button', { name: 'Stop watching Tin Robot' }).click();
  await expect(page.getByText('Tin Robot is still on your watch list', { exact: true })).toBeVisible();
  await page.unroute('**/watch');
  await list.getByRole('button', { name: 'Stop watching Tin Robot' }).click();
  await expect(list.getByRole('link', { name: 'Tin Robot' })).toHaveCount(0);
  await expect(list.getByRole('link', { name: 'Brass Lamp' })).toBeVisible();
});

test('a page requests only unread notices, until the bell is opened', async ({ enter }) => {
  const { page } = await enter('ada');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/me/inbox') asked.push(search);
  });
  await page.goto('/browse');
  await expect(on(page).notices).toBeVisible();
  await expect.poll(() => asked).toEqual(['?unread=1']);
  await on(page).notices.click();
  await expect(page.getByText('Nothing yet. If someone outbids you, you’ll see it here right away.')).toBeVisible();
  expect(asked).toEqual(['?unread=1', '']);
});

test('a watch that the server refuses is undone, with an explanation', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller, { title: 'Tin Robot' }));
  const busy = { code: 'busy', status: 503, title: 'busy', type: '/problems/busy', detail: 'Nothing has happened; please try again.' };
  await ada.page.route('**/watch', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(busy) }),
  );
  await ada.page.getByRole('button', { name: /^Watch/ }).click();
  await expect(ada.page.getByText('Tin Robot isn’t on your watch list', { exact: true })).toBeVisible();
  await expect(ada.page.getByRole('button', { name: /^Watch/ })).toHaveAttribute('aria-pressed', 'false');
});

test('an outbid notice stays in the inbox until it is read, on every device', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const address = await openAuction(seller, { title: 'Tin Robot' });
  await look(ada, address);
  await placeBid(ada.page, '11');
  await expect(on(ada.page).bidding).toContainText('You’re leading with $11');
  await ada.page.close(); // ada has no page open
  await look(ben, address);
  await placeBid(ben.page, '15');
  await expect(on(ben.page).bidding).toContainText('You’re leading with $15');

  const page = await ada.context.newPage();
  await page.goto('/');
  await expect(on(page).notices).toHaveAccessibleName('Notifications, 1 new');
  await on(page).notices.click();
  await page.getByRole('menuitem', { name: 'See all' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  const notice = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await expect(notice).toContainText('You’ve been outbid');
  await expect(notice).toContainText('“Tin Robot” is now at $15.');
  await expect(on(page).notices).toHaveAccessibleName('Notifications');
  await page.reload();
  await expect(notice).toContainText('You’ve been outbid');
  await expect(on(page).notices).toHaveAccessibleName('Notifications');

  await notice.getByRole('link', { name: 'Bid again: Tin Robot' }).click();
  await expect(on(page).amount).toBeFocused();
  await placeBid(page, '20');
  await expect(on(page).bidding).toContainText('You’re leading with $20');
  await page.goto('/inbox');
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible();
});

test('the inbox asks for a login, and leads back', async ({ enter, page }) => {
  const { name } = await enter('ada');
  await page.goto('/inbox');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logInFromHere(page, name);
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible();
});
