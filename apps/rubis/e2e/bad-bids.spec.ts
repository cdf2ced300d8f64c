// A refused bid is explained in a sentence on the page, and the input is kept.
import { expect } from '@playwright/test';
import { ask } from '@claret/site/e2e/people.ts';
import type { AuctionPage, ItemView, LiveItem } from '../server/api.ts';
import { logInFromHere, look, offer, on, openAuction, placeBid, test, type Person } from './site.ts';

/** Opens an auction's page that shows an older state than the server's. */
async function openBehind({ page }: Person, address: string, older: (now: AuctionPage) => Partial<LiveItem>): Promise<void> {
  await page.route('**/api/live**', (route) => route.abort());
  await page.route(`**/api${address}/page**`, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response }); // a busy site: the page asks again
    const view = (await response.json()) as AuctionPage;
    return route.fulfill({ response, json: { ...view, live: { ...view.live, ...older(view) } } });
  });
  await page.goto(address);
}

test('a bid that is not a number or too low is explained, and no bid is placed', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller, { start_price_cents: 50_00 }));
  const { amount, bidding } = on(ada.page);

  await offer(ada.page, 'a lot');
  await expect(bidding.getByRole('alert')).toContainText('“a lot” isn’t an amount');
  await expect(amount).toHaveValue('a lot');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription(/isn’t an amount/);

  await offer(ada.page, '49.99');
  await expect(bidding.getByRole('alert')).toContainText('too low. Bid $50 or more');
  await offer(ada.page, '1e9');
  await expect(bidding.getByRole('alert')).toContainText('isn’t an amount');
  await offer(ada.page, '');
  await expect(bidding.getByRole('alert')).toContainText('Enter your bid');
  await expect(bidding).toContainText('No bids yet');
});

test('a bid that has become too low since it was typed is explained by the server', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const address = await openAuction(seller, { start_price_cents: 50_00 });
  await openBehind(ada, address, () => ({ min_next_bid_cents: 1_00 }));
  await offer(ada.page, '20');
  await expect(on(ada.page).bidding).toContainText('Your bid of $20 wasn’t placed');
  await expect(on(ada.page).bidding).toContainText('The minimum is now $50');
  await expect(on(ada.page).amount).toHaveValue('20');
  await on(ada.page).bidding.getByRole('button', { name: 'Bid $50', exact: true }).click();
  await expect(on(ada.page).bidding).toContainText('Your bid of $50 is in');
});

test('a bid whose answer is lost may be sent again and counts once', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const address = await openAuction(seller);
  // Otherwise the page would see its own bid at once.
  await ada.page.route('**/api/live**', (route) => route.abort());
  let isLost = true;
  await ada.page.route('**/bids', async (route) => {
    const response = await route.fetch();
    if (isLost) await route.abort();
    else await route.fulfill({ response });
    isLost = false;
  });
  await ada.page.goto(address);
  await offer(ada.page, '20');
  await expect(on(ada.page).bidding).toContainText('Your bid may not have been placed');
  await placeBid(ada.page, '20');
  await expect(on(ada.page).bidding).toContainText('Your bid of $20 is in');
  const { live } = await ask<ItemView>(ada.context, `/api${address}`);
  expect(live.bid_count).toBe(1);
});

test('on one’s own auction there is no form, and a sentence says why', async ({ enter }) => {
  const seller = await enter('seller');
  await look(seller, await openAuction(seller));
  await expect(on(seller.page).bidding).toContainText('This is your auction');
  await expect(on(seller.page).bidding).toContainText('You can’t bid on it');
  await expect(on(seller.page).amount).toHaveCount(0);
});

test('a bid after the auction’s end is refused in a sentence', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const address = await openAuction(seller, { duration_seconds: 2 });
  await look(seller, address);
  await expect(on(seller.page).bidding).toContainText('Your auction ended without bids');
  const open = ({ server_time_ms }: ItemView) => ({ status: 'open', closed_at_ms: null, closes_at_ms: server_time_ms + 600_000 }) as const;
  await openBehind(ada, address, open);
  await offer(ada.page, '20');
  await expect(on(ada.page).bidding).toContainText('Your bid wasn’t placed');
  await expect(on(ada.page).bidding).toContainText(/closed|ended|over/i);
});

test('a logged-out visitor is led to the login, and back to the auction', async ({ enter, page }) => {
  const seller = await enter('seller');
  const address = await openAuction(seller, { title: 'Garden Sundial' });
  await page.goto(address);
  await page.getByRole('link', { name: /Log in to bid \$10 or more/ }).click();
  await logInFromHere(page, seller.name);
  await expect(page.getByRole('heading', { level: 1, name: 'Garden Sundial' })).toBeVisible();
});
