// Buying at once: with a confirmation, live updates, and never twice, whatever happens to the answers.
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { expect, type Page } from '@playwright/test';
import { look, newName, offer, on, openAuction, registerFromHere, sendBid, SERVERS, test } from './site.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Buy now' });
const mine = (page: Page) => page.getByRole('list', { name: 'Bought' }).getByRole('listitem');

test('a person buys pieces, and every viewer sees how many are left', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const address = await openAuction(seller, { title: 'Silver Spoons', quantity: 5, buy_now_price_cents: 30_00 });
  await look(ada, address);
  await look(ben, address);
  await ben.page.getByRole('button', { name: 'Buy now' }).click();
  await expect(dialog(ben.page)).toContainText('5 of 5 left');

  await ada.page.getByRole('button', { name: 'Buy now' }).click();
  await expect(dialog(ada.page).getByRole('combobox', { name: 'Quantity' })).toBeFocused();
  await dialog(ada.page).getByRole('combobox', { name: 'Quantity' }).selectOption('3');
  await expect(dialog(ada.page)).toContainText('$90');
  await dialog(ada.page).getByRole('button', { name: 'Buy 3 for $90' }).click();
  await expect(ada.page.getByRole('dialog', { name: 'It’s yours' })).toContainText('You bought 3 pieces for $90');

  await expect(dialog(ben.page)).toContainText('2 of 5 left');
  await expect(dialog(ben.page).getByRole('option')).toHaveText(['1', '2']);
  await dialog(ben.page).getByRole('combobox', { name: 'Quantity' }).selectOption('2');
  await dialog(ben.page).getByRole('button', { name: 'Buy 2 for $60' }).click();
  await expect(ben.page.getByRole('dialog', { name: 'It’s yours' })).toBeVisible();
  await ben.page.getByRole('button', { name: 'Close' }).last().click();
  await expect(on(ben.page).bidding.getByRole('heading', { name: 'You bought it' })).toBeVisible();
  await expect(on(ben.page).bidding).toContainText('You bought 2 pieces');

  await ada.page.getByRole('link', { name: 'See what you bought' }).click();
  await expect(mine(ada.page)).toHaveCount(1);
  await expect(mine(ada.page)).toContainText('3 pieces, $30 each');
  await seller.page.goto('/me?tab=sold');
  await expect(seller.page.getByRole('list', { name: 'Buyers' })).toContainText(`${ada.name} · 3 pieces · $90`);
});

test('when the answer is lost, trying again does not buy twice, also after a reload', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const address = await openAuction(seller, { quantity: 4, buy_now_price_cents: 30_00 });
  await look(ada, address);
  const sent: (string | undefined)[] = [];
  // The server receives the request, but its answer is lost.
  await ada.page.route('**/api/items/*/buy', async (route) => {
    sent.push(route.request().headers()[REQUEST_KEY_HEADER]);
    await route.fetch();
    await route.abort();
  });
  await ada.page.getByRole('button', { name: 'Buy now' }).click();
  await dialog(ada.page).getByRole('button', { name: 'Buy for $30' }).click();
  await expect(dialog(ada.page)).toContainText('We don’t know yet whether this worked');
  await dialog(ada.page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => sent.length).toBe(2);
  await expect(dialog(ada.page).getByRole('button', { name: 'Try again' })).toBeEnabled();

  await ada.page.unroute('**/api/items/*/buy');
  await ada.page.reload();
  await ada.page.getByRole('button', { name: 'Check my purchase' }).click();
  const again = ada.page.waitForRequest('**/api/items/*/buy');
  await dialog(ada.page).getByRole('button', { name: 'Try again' }).click();
  sent.push((await again).headers()[REQUEST_KEY_HEADER]);
  await expect(ada.page.getByRole('dialog', { name: 'It’s yours' })).toContainText('You bought 1 piece for $30');
  expect(sent[0]).toBeDefined();
  expect(new Set(sent).size).toBe(1);
  await ada.page.getByRole('button', { name: 'Close' }).last().click();
  await expect(on(ada.page).bidding).toContainText('3 of 4 pieces left');
  await expect(on(ada.page).bidding).toContainText('You bought 1 piece');
});

test('an item that can no longer be bought says so, and no purchase is pending', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const address = await openAuction(seller, { buy_now_price_cents: 30_00 });
  await look(ada, address);
  await look(ben, address);
  await ada.page.getByRole('button', { name: 'Buy now' }).click();
  await expect(dialog(ada.page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await ben.page.getByRole('button', { name: 'Buy now' }).click();
  await dialog(ben.page).getByRole('button', { name: 'Buy for $30' }).click();
  await expect(ben.page.getByRole('dialog', { name: 'It’s yours' })).toBeVisible();
  await expect(dialog(ada.page)).toContainText('You haven’t bought anything');
  await dialog(ada.page).getByRole('button', { name: 'Close' }).last().click();
  await expect(on(ada.page).bidding).toContainText('It was bought before time ran out');
});

test('a logged-out visitor registers on the way, and then sees the confirmation at once', async ({ enter, page }) => {
  const seller = await enter('seller');
  await page.goto(await openAuction(seller, { buy_now_price_cents: 30_00 }));
  await page.getByRole('link', { name: 'Log in to buy' }).click();
  // The auction's page has a link of the same name as the next one, which leads back to bidding.
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await registerFromHere(page, newName('nell'));
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/\/items\/[^?]+$/);
});

test('buyer and seller comment on each other, the seller on each buyer', async ({ enter }) => {
  const seller = await enter('seller');
  const buyers = [await enter('ada'), await enter('ben', SERVERS[1])];
  const address = await openAuction(seller, { quantity: 2, buy_now_price_cents: 30_00 });
  for (const { page } of buyers) {
    await page.goto(`${address}?do=buy`);
    await dialog(page).getByRole('button', { name: 'Buy for $30' }).click();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('heading', { name: `Rate ${seller.name}` })).toBeVisible();
  }
  const { page } = seller;
  await page.goto(`${address}?do=comment`);
  const text = page.getByRole('textbox', { name: 'Comment' });
  await expect(text).toBeFocused();
  for (const { name } of buyers) {
    if (name === buyers[0]!.name) await page.getByRole('combobox', { name: 'About' }).selectOption({ label: name });
    await expect(page.getByRole('heading', { name: `Rate ${name}` })).toBeVisible();
    await text.fill(`Paid at once, ${name}.`);
    await page.getByRole('button', { name: 'Leave comment' }).click();
    await expect(page.getByRole('heading', { name: `Rate ${name}` })).toBeHidden();
  }
  await expect(text).toHaveCount(0);
  await buyers[1]!.page.goto('/me?tab=comments');
  await expect(buyers[1]!.page.getByText(`Paid at once, ${buyers[1]!.name}.`)).toBeVisible();
});

test('a bid as high as the Buy now price offers Buy now instead, and withdraws it if it is placed all the same', async ({ enter }) => {
  const seller = await enter('seller');
  const [ada, ben] = [await enter('ada'), await enter('ben')];
  const address = await openAuction(seller, { buy_now_price_cents: 30_00 });
  for (const person of [ada, ben]) await look(person, address);
  await ben.page.getByRole('button', { name: 'Buy now' }).click();
  await expect(dialog(ben.page)).toContainText('This is the last piece. Buying it ends the auction, and no bid wins.');

  await offer(ada.page, '35');
  const warning = on(ada.page).bidding.getByRole('alert');
  await expect(warning).toContainText('You can buy it now for $30');
  await expect(on(ada.page).bidding).toContainText('No bids yet');
  await warning.getByRole('button', { name: 'Buy now for $30' }).click();
  await expect(dialog(ada.page)).toBeVisible();
  await dialog(ada.page).getByRole('button', { name: 'Cancel' }).click();
  await sendBid(ada.page, () => warning.getByRole('button', { name: 'Bid anyway' }).click());
  await expect(on(ada.page).bidding).toContainText('You’re leading with $35');

  await expect(dialog(ben.page)).toContainText('The bids have reached the Buy now price');
  await dialog(ben.page).getByRole('button', { name: 'Close' }).last().click();
  await expect(on(ben.page).bidding).toContainText('Buy now ended when the price reached $30.');
  await expect(ben.page.getByRole('button', { name: 'Buy now' })).toHaveCount(0);
});
