// Bidding with a secret maximum: the price follows the highest two maxima, and the maximum stays secret.
import { expect, type Page } from '@playwright/test';
import { bid, look, on, openAuction, openShortAuction, placeBid, sendBid, SERVERS, test } from './site.ts';

const wishesMaximum = (page: Page) => page.getByRole('checkbox', { name: /secret maximum/ });
const maximum = (page: Page) => page.getByRole('textbox', { name: 'Secret maximum' });

async function offerUpTo(page: Page, amount: string): Promise<void> {
  await wishesMaximum(page).check();
  await maximum(page).fill(amount);
  await on(page).send.click();
}

const bidUpTo = (page: Page, amount: string): Promise<void> => sendBid(page, () => offerUpTo(page, amount));

test('a bidder with a maximum leads at the lowest possible price, is told so, and the maximum stays secret', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const address = await openAuction(seller, { start_price_cents: 10_00 });
  await look(ada, address);
  await look(ben, address);
  const benHears: string[] = [];
  ben.page.on('response', async (response) => benHears.push(await response.text().catch(() => '')));

  await bidUpTo(ada.page, '77.77');
  await expect(on(ada.page).bidding).toContainText('You’re leading with $10');
  await expect(on(ada.page).bidding).toContainText('Your secret maximum is $77.77');
  await expect(on(ben.page).bidding).toContainText('1 bid');

  await placeBid(ben.page, '20');
  await expect(on(ben.page).bidding).toContainText('You’ve been outbid');
  await expect(on(ben.page).bidding).toContainText('someone is willing to pay more');
  await expect(on(ada.page).bidding).toContainText('You’re leading with $20.50');
  await ben.page.reload();
  await expect(on(ben.page).bidding).toContainText('$20.50');
  await ben.page.goto(`${address}/bids`);
  await expect(ben.page.getByRole('table')).toContainText('$20.50');
  expect(benHears.join('\n')).toContain('2050');
  expect(benHears.join('\n')).not.toMatch(/77\.77|7777/);
  await expect(ben.page.locator('body')).not.toContainText('77.77');
});

test('the leader may raise their maximum: the price stays, and a lower maximum is refused with an explanation', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller, { start_price_cents: 10_00 }));
  await bidUpTo(ada.page, '30');
  await expect(on(ada.page).bidding).toContainText('Your secret maximum is $30');

  await offerUpTo(ada.page, '25');
  await expect(on(ada.page).bidding.getByRole('alert')).toContainText('Your maximum is already $30');
  await expect(maximum(ada.page)).toBeFocused();
  await maximum(ada.page).fill('50');
  await sendBid(ada.page, () => ada.page.getByRole('button', { name: 'Raise your maximum to $50' }).click());
  await expect(on(ada.page).bidding).toContainText('Your secret maximum is $50');
  await expect(on(ada.page).bidding).toContainText('You’re leading with $10');
  await ada.page.goto('/me');
  await expect(ada.page.getByRole('list', { name: 'Bidding' })).toContainText('Your secret maximum: $50');
});

test('an auction shows its reserve’s state in words, and has no winner if the reserve is not met', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const auction = { start_price_cents: 10_00, reserve_price_cents: 60_00, duration_seconds: 8 };
  const address = await openShortAuction(seller, auction, async (opened) => void (await bid(ada, opened, { amount_cents: 12_00 })));
  await look(ada, address);
  await expect(on(ada.page).bidding).toContainText('Reserve not met');
  await expect(ada.page.getByRole('heading', { name: 'Reserve not met' })).toBeVisible();
  await expect(on(ada.page).bidding).not.toContainText('$60');
  await seller.page.goto(address);
  await expect(seller.page.getByRole('heading', { name: 'Your reserve wasn’t met' })).toBeVisible();
});

test('a maximum that reaches the reserve meets it at once', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller, { start_price_cents: 10_00, reserve_price_cents: 60_00 }));
  await bidUpTo(ada.page, '80');
  await expect(on(ada.page).bidding).toContainText('You’re leading with $60');
  await expect(on(ada.page).bidding).toContainText('Reserve met');
});
