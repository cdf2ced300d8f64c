import { expect } from '@playwright/test';
import { sent } from '@claret/site/e2e/people.ts';
import { logInFromHere, look, newName, on, placeBid, registerFromHere, SERVERS, test } from './site.ts';

test('a visitor registers, sells, and a person at another server finds the item and bids', async ({ enter, page }) => {
  const nickname = newName('nell');
  const title = `Walnut Music Box ${nickname}`;
  await page.goto('/');
  await page.getByRole('link', { name: 'Sell', exact: true }).click();
  await registerFromHere(page, nickname);

  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('combobox', { name: 'Category' }).selectOption({ index: 5 });
  await page.getByRole('textbox', { name: 'Starting price' }).fill('12.50');
  await page.getByRole('textbox', { name: 'Description' }).fill('Plays two tunes.');
  await page.getByRole('button', { name: 'Start the auction' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(on(page).bidding).toContainText('$12.50');
  await expect(on(page).bidding).toContainText('This is your auction');

  const ben = await enter('ben', SERVERS[1]);
  await ben.page.goto('/');
  await ben.page.getByRole('searchbox', { name: 'Search auctions' }).fill(title);
  await ben.page.keyboard.press('Enter');
  await ben.page.getByRole('link', { name: title }).click();
  await expect(ben.page).toHaveURL(/\/items\//);
  await look(ben, ben.page.url());
  await placeBid(ben.page, '12.50');
  await expect(on(ben.page).bidding).toContainText('You’re leading with $12.50');
  await expect(on(page).bidding).toContainText('1 bid');

  await page.getByRole('button', { name: `Account of ${nickname}` }).click();
  await page.getByRole('menuitem', { name: 'My bids and sales' }).click();
  await page.getByRole('tab', { name: /^Selling/ }).click();
  await expect(page.getByRole('list', { name: 'Selling' })).toContainText(title);
  await ben.page.goto('/me');
  await expect(ben.page.getByRole('list', { name: 'Bidding' })).toContainText('Leading');
});

test('a page notices that its login has ended elsewhere', async ({ enter }) => {
  const ada = await enter('ada');
  await ada.page.goto('/me');
  await expect(ada.page.getByRole('heading', { level: 1, name: 'My bids and sales' })).toBeVisible();
  await expect(on(ada.page).live).toBeVisible();
  await ada.context.clearCookies();
  await ada.page.getByRole('link', { name: 'Browse', exact: true }).click();
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible();
});

test('logging out and in again leads back to the same page', async ({ enter }) => {
  const ada = await enter('ada');
  await ada.page.goto('/browse');
  await ada.page.getByRole('button', { name: /^Account of/ }).click();
  await ada.page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(ada.page.getByText('You’re logged out', { exact: true })).toBeVisible();
  await ada.page.getByRole('link', { name: 'Log in' }).click();
  await ada.page.getByRole('textbox', { name: 'Nickname' }).fill(ada.name);
  await ada.page.getByLabel('Password').fill('not the password');
  await sent(ada.page, '/api/login', () => ada.page.getByRole('button', { name: 'Log in' }).click());
  await expect(ada.page.getByRole('alert')).toBeVisible();
  await logInFromHere(ada.page, ada.name);
  await expect(ada.page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
  await expect(ada.page.getByRole('button', { name: `Account of ${ada.name}` })).toBeVisible();
});

test('pieces are sold with a reserve and a Buy now price; invalid combinations are explained at the field', async ({ enter }) => {
  const { page } = await enter('seller');
  await page.goto('/sell');
  await page.getByRole('textbox', { name: 'Title' }).fill('Three Tin Soldiers');
  await page.getByRole('combobox', { name: 'Category' }).selectOption({ index: 5 });
  await page.getByRole('textbox', { name: 'Starting price' }).fill('10');
  await page.getByRole('textbox', { name: 'Reserve' }).fill('9');
  await page.getByRole('combobox', { name: 'Quantity' }).selectOption('3');
  const open = page.getByRole('button', { name: 'Start the auction' });
  await open.click();
  const reserve = page.getByRole('textbox', { name: 'Reserve' });
  await expect(reserve).toBeFocused();
  await expect(reserve).toHaveAccessibleDescription(/can’t be below the starting price of \$10/);
  await expect(page.getByRole('textbox', { name: 'Buy now price' })).toHaveAccessibleDescription(/set a Buy now price/);
  await reserve.fill('40');
  await page.getByRole('textbox', { name: 'Buy now price' }).fill('50');
  await open.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Three Tin Soldiers' })).toBeVisible();
  await expect(on(page).bidding).toContainText('Reserve not met');
  await expect(on(page).bidding).toContainText('Buy now price $50');
  await expect(on(page).bidding).toContainText('3 of 3 pieces left');
  await expect(on(page).bidding).not.toContainText('$40');
});
