// Two people in two browsers at two app servers, at one auction.
import { expect, type Locator, type Page } from '@playwright/test';
import { bid, look, on, openAuction, placeBid, SERVERS, test, type Person } from './site.ts';

/** Longer than an auction lasts that is ended by time. */
const ENDS_WITHIN_MS = 300_000;

/** Waits until the page shows it. False: the auction ended before. */
async function isShown(page: Page, what: Locator): Promise<boolean> {
  const over = on(page).bidding.getByRole('heading', { name: /won|ended/i });
  await expect(what.or(over).first()).toBeVisible();
  return what.isVisible();
}

/** False: the auction has ended. */
async function isAccepted(person: Person, address: string, amount_cents: number): Promise<boolean> {
  return bid(person, address, { amount_cents }).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('auction_closed')) return false;
      throw error;
    },
  );
}

/** Both open an auction, Ada bids, Ben sees it, and bids more. False: it ended before that. */
async function bothBid(address: string, ada: Person, ben: Person): Promise<boolean> {
  for (const person of [ada, ben]) await look(person, address);
  const leads = ({ page }: Person) => isShown(page, on(page).bidding.getByText('You’re leading with'));
  const sees = ({ page }: Person, bids: string) => isShown(page, on(page).bidding.getByRole('link', { name: bids, exact: true }));
  if (!(await isAccepted(ada, address, 11_00)) || !(await leads(ada)) || !(await sees(ben, '1 bid'))) return false;
  if (!(await isAccepted(ben, address, 25_00)) || !(await leads(ben)) || !(await sees(ada, '2 bids'))) return false;
  return isShown(
    ada.page,
    on(ada.page)
      .bidding.getByRole('timer')
      .filter({ hasText: /^\d+s$/ }),
  );
}

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
    const seller = await enter('seller');
    const ada = await enter('ada');
    const ben = await enter('ben', SERVERS[1]);
    // On a slow machine an auction may end before both have bid: then a longer one.
    let duration_seconds = 12;
    do duration_seconds *= 2;
    while (!(await bothBid(await openAuction(seller, { duration_seconds }), ada, ben)));
    await expect(ben.page.getByRole('heading', { name: 'You won!' })).toBeVisible({ timeout: ENDS_WITHIN_MS });
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
