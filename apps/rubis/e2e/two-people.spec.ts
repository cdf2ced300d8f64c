// Two people in two browsers at two app servers, at one auction.
import { expect } from '@playwright/test';
import { look, on, openAuction, placeBid, SERVERS, test } from './site.ts';

test.describe('two people at two app servers', () => {
  test('one bids, the other sees the price change and the outbid notice, without a reload', async ({ enter }) => {
    const seller = await enter('seller');
    const ada = await enter('ada');
    const ben = await enter('ben', SERVERS[1]);
    const address = await openAuction(seller, { start_price_cents: 10_00 });
    await look(ada, address);
    await look(ben, address);

    await placeBid(ada.page, '12');
    await expect(on(ada.page).bidding).toContainText('You’re leading with $12');
    await expect(on(ben.page).bidding).toContainText('$12');
    await expect(ben.page.getByRole('table').getByText(ada.name)).toBeVisible();

    await placeBid(ben.page, '20');
    await expect(on(ben.page).bidding).toContainText('You’re leading with $20');
    await expect(on(ben.page).notices).toHaveAccessibleName('Notifications');
    await expect(on(ada.page).bidding).toContainText('You’ve been outbid');
    await expect(on(ada.page).bidding).toContainText('$20');
    await expect(on(ada.page).notices).toHaveAccessibleName(/1 new/);
    await on(ada.page).notices.click();
    await expect(ada.page.getByRole('menuitem', { name: /You’ve been outbid/ })).toContainText('$20');
    await ada.page.reload();
    await on(ada.page).notices.click();
    await expect(ada.page.getByRole('menuitem', { name: /You’ve been outbid/ })).toContainText('$20');
  });

  test('an outbid notice appears on any page of the site', async ({ enter }) => {
    const seller = await enter('seller');
    const ada = await enter('ada');
    const ben = await enter('ben', SERVERS[1]);
    const address = await openAuction(seller, { title: 'Copper Weather Vane' });
    await look(ada, address);
    await placeBid(ada.page, '15');
    await expect(on(ada.page).bidding).toContainText('You’re leading with $15');
    await ada.page.getByRole('link', { name: 'Browse', exact: true }).click();
    await expect(ada.page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
    await expect(on(ada.page).live).toBeVisible();

    await look(ben, address);
    await placeBid(ben.page, '30');
    const toast = ada.page.getByRole('listitem').filter({ hasText: 'You’ve been outbid' });
    await expect(toast).toContainText('“Copper Weather Vane” is now at $30.');
    await toast.getByRole('link', { name: /^Bid/ }).click();
    await expect(ada.page.getByRole('heading', { level: 1, name: 'Copper Weather Vane' })).toBeVisible();
  });

  test('the auction ends while both watch, and both see the winner', async ({ enter }) => {
    test.setTimeout(120_000);
    const seller = await enter('seller');
    const ada = await enter('ada');
    const ben = await enter('ben', SERVERS[1]);
    const address = await openAuction(seller, { duration_seconds: 25 });
    await look(ada, address);
    await look(ben, address);
    await placeBid(ada.page, '11');
    await expect(on(ada.page).bidding).toContainText('You’re leading with $11');
    await expect(on(ben.page).bidding).toContainText('$11');
    await placeBid(ben.page, '25');
    await expect(on(ben.page).bidding).toContainText('You’re leading with $25');
    await expect(on(ada.page).bidding.getByRole('timer')).toHaveText(/^\d+s$/);

    await expect(ben.page.getByRole('heading', { name: 'You won!' })).toBeVisible({ timeout: 40_000 });
    await expect(on(ben.page).bidding).toContainText('You won it for $25');
    await expect(ada.page.getByRole('heading', { name: 'Someone else won' })).toBeVisible();
    await expect(on(ada.page).bidding).toContainText(`Sold to ${ben.name} for $25`);
    await expect(on(ada.page).amount).toHaveCount(0);

    await ben.page.getByRole('radio', { name: 'Excellent' }).check();
    await ben.page.getByRole('textbox', { name: 'Comment' }).fill('Clear as the night sky.');
    await ben.page.getByRole('button', { name: 'Leave comment' }).click();
    await expect(ben.page.getByText('Thank you', { exact: true })).toBeVisible();
    await ada.page.getByRole('complementary', { name: 'Seller' }).getByRole('link').click();
    await ada.page.getByRole('tab', { name: /Comments/ }).click();
    await expect(ada.page.getByText('Clear as the night sky.')).toBeVisible();
  });
});
