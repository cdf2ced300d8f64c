// Whole visits, on a desktop and on a phone (playwright.config.ts).
import { expect, type Page } from '@playwright/test';
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { bid, look, newName, on, openAuction, openShortAuction, placeBid, registerFromHere, sendBid, SERVERS, test } from './site.ts';

/** The clock of a page can only be stopped at a time to come. */
const PAUSED_WITHIN_MS = 120_000;

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

test('a visitor finds an auction, registers, bids with a secret maximum, is outbid, reads it in the inbox, and bids again', async ({
  enter,
  page,
  context,
}) => {
  await bringAxe(context);
  const [seller, ben] = [await enter('seller'), await enter('ben', SERVERS[1])];
  const title = `Silver Samovar ${newName('x')}`;
  const address = await openAuction(seller, { title, start_price_cents: 10_00 });

  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search auctions' }).fill(title);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: title }).click();
  await page.getByRole('link', { name: /Log in to bid \$10 or more/ }).click();
  await registerFromHere(page, newName('nell'));

  await expect(on(page).amount).toBeFocused();
  await page.getByRole('checkbox', { name: /secret maximum/ }).check();
  await on(page).amount.fill('10');
  await page.getByRole('textbox', { name: 'Secret maximum' }).fill('50');
  await sendBid(page, () => page.getByRole('button', { name: 'Bid $10, up to $50' }).click());
  await expect(on(page).bidding).toContainText('You’re leading with $10');
  await expect(on(page).bidding).toContainText('Your secret maximum is $50');

  // A bid below the maximum raises the price, but does not lead.
  await bid(ben, address, { amount_cents: 20_00 });
  await expect(on(page).bidding).toContainText(/You’re leading with \$2\d/);
  await look(ben, address);
  await expect(ben.page.getByRole('main')).not.toContainText('$50');

  await page.getByRole('link', { name: 'Browse', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
  await bid(ben, address, { amount_cents: 60_00 });
  await expect(on(page).notices).toHaveAccessibleName(/1 new/);
  await on(page).notices.click();
  await page.getByRole('menuitem', { name: 'See all' }).click();
  await expect(list(page, 'Notifications').getByRole('listitem').filter({ hasText: title })).toContainText('You’ve been outbid');
  await expectReach(page);
  await list(page, 'Notifications')
    .getByRole('link', { name: `Bid again: ${title}` })
    .click();
  await expect(on(page).bidding).toContainText('You’ve been outbid');
  await placeBid(page, '75');
  await expect(on(page).bidding).toContainText('You’re leading with $75');
  await page.getByRole('link', { name: '4 bids' }).first().click();
  await expect(page.getByRole('table').getByRole('row')).toContainText([/Bidder/, /You.*\$75/, /\$60/]);

  await page.getByRole('button', { name: /^Account of nell/ }).click();
  await page.getByRole('menuitem', { name: 'My bids and sales' }).click();
  await expect(list(page, 'Bidding').getByRole('listitem').filter({ hasText: title })).toContainText('Leading');
  await expectReach(page);
});

test('a countdown follows the clock, from minutes to seconds to the end', async ({ enter }) => {
  const [seller, ada] = [await enter('seller'), await enter('ada')];
  const { page, context } = ada;
  const address = await openAuction(seller, { duration_seconds: 3_600 });
  await page.clock.install();
  await look(ada, address);
  const timer = on(page).bidding.getByRole('timer');
  await expect(timer).toHaveText(/^\d\dm$/);
  await expect(timer).toHaveAccessibleName(/minutes left/);

  // Offline, so that the server's time cannot correct the page's clock, which then stands still but for the test.
  await context.setOffline(true);
  await expect(page.getByRole('status').getByText('Offline', { exact: true })).toBeVisible();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSED_WITHIN_MS);
  await expect(timer).toHaveText(/^\d\dm$/);
  const minutes = Number.parseInt(await timer.innerText(), 10);
  await page.clock.fastForward((minutes - 5) * 60_000);
  await expect(timer).toHaveText('5m');
  for (let seconds = 0; (await timer.innerText()) === '5m'; seconds++) {
    expect(seconds, 'a minute ends').toBeLessThanOrEqual(60);
    await page.clock.fastForward(1_000);
  }
  await expect(timer).toHaveText('4m');
  await page.clock.fastForward('04:30');
  await expect(timer).toHaveText(/^\d\ds$/);
  const before = Number.parseInt(await timer.innerText(), 10);
  await page.clock.fastForward('00:20');
  await expect(timer).toHaveText(`${before - 20}s`);
  await page.clock.fastForward('00:20');
  await expect(timer).toHaveText('Closing…');
  await expect(on(page).bidding).toContainText('Time’s up');
  await expect(on(page).amount).toHaveCount(0);
});

test(
  'a bidder with a wrong clock wins by the site’s clock; winner and seller comment on each other',
  { tag: '@long' },
  async ({ enter }) => {
    const [seller, ada] = [await enter('seller'), await enter('ada', SERVERS[1])];
    const { page, context } = ada;
    await bringAxe(context);
    await page.clock.install({ time: Date.now() + 3 * 60 * 60 * 1_000 });
    const title = `Copper Kettle ${newName('x')}`;
    const timer = on(page)
      .bidding.getByRole('timer')
      .filter({ hasText: /^\d+s$/ });
    const won = page.getByRole('heading', { name: 'You won!' });
    // The auction is to be open when the page is.
    let duration_seconds = 10;
    do {
      duration_seconds *= 2;
      const placeBids = async (address: string) => void (await bid(ada, address, { amount_cents: 11_00, max_cents: 15_00 }));
      await look(ada, await openShortAuction(seller, { title, duration_seconds, reserve_price_cents: 12_00 }, placeBids));
      await expect(timer.or(won)).toBeVisible();
    } while (await won.isVisible());
    await expect(won).toBeVisible();
    await expect(on(page).bidding).toContainText('You won it for $12');
    await expectReach(page);
    await page.getByRole('radio', { name: 'Excellent' }).check();
    await page.getByRole('textbox', { name: 'Comment' }).fill('It sings when it boils.');
    await page.getByRole('button', { name: 'Leave comment' }).click();
    await expect(page.getByText('Thank you', { exact: true })).toBeVisible();
    await page.goto('/me?tab=won');
    await expect(list(page, 'Won')).toContainText(title);

    await seller.page.goto('/me?tab=sold');
    await expect(list(seller.page, 'Sold').getByRole('listitem').filter({ hasText: title }).first()).toContainText(ada.name);
    await seller.page.getByRole('link', { name: `Rate ${ada.name}` }).click();
    await seller.page.getByRole('textbox', { name: 'Comment' }).fill('Paid at once.');
    await seller.page.getByRole('button', { name: 'Leave comment' }).click();
    await expect(seller.page.getByText('Thank you', { exact: true })).toBeVisible();
    await page.goto('/me?tab=comments');
    await expect(page.getByRole('tabpanel')).toContainText('Paid at once.');
  },
);

test(
  'a seller offers two pieces with Buy now; two people at two servers buy them, and the item is sold out',
  { tag: '@long' },
  async ({ enter }) => {
    const [seller, ada, ben] = [await enter('seller'), await enter('ada'), await enter('ben', SERVERS[1])];
    await bringAxe(ada.context);
    const title = `Pair of Lanterns ${newName('x')}`;
    const { page } = seller;
    await page.goto('/sell');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ index: 4 });
    await page.getByRole('textbox', { name: 'Starting price' }).fill('10');
    await page.getByRole('textbox', { name: 'Reserve' }).fill('15');
    await page.getByRole('textbox', { name: 'Buy now price' }).fill('25');
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('2');
    await page.getByRole('textbox', { name: 'Description' }).fill('They hang well beside each other.');
    await page.getByRole('button', { name: 'Start the auction' }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const offer = page.getByRole('region', { name: 'Buy now price $25' });
    await expect(offer).toContainText('2 of 2 pieces left');
    await expect(on(page).bidding).toContainText(/reserve/i);
    await expect(page.getByRole('button', { name: 'Buy now' })).toHaveCount(0);
    const address = new URL(page.url()).pathname;

    await look(ada, address);
    await ada.page.getByRole('button', { name: 'Buy now' }).click();
    const dialog = ada.page.getByRole('dialog');
    await expect(dialog).toContainText('2 of 2 left, $25 each');
    await expectReach(ada.page);
    await dialog.getByRole('button', { name: 'Buy for $25' }).click();
    await expect(dialog).toContainText('You bought 1 piece for $25');
    await expect(offer).toContainText('1 of 2 pieces left');

    await look(ben, address);
    await ben.page.getByRole('button', { name: 'Buy now' }).click();
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Buy for $25' }).click();
    await expect(ben.page.getByRole('dialog')).toContainText('You bought 1 piece for $25');
    await expect(page.getByRole('heading', { name: 'All sold!' })).toBeVisible();

    await dialog.getByRole('link', { name: 'See what you bought' }).click();
    await expect(list(ada.page, 'Bought')).toContainText(title);
    await expectReach(ada.page);
    await page.goto('/me?tab=sold');
    await expect(list(page, 'Buyers')).toContainText([ada.name]);
    await expect(list(page, 'Buyers')).toContainText([ben.name]);
    await page.getByRole('link', { name: 'Rate 2 people' }).click();
    await page.getByRole('combobox', { name: 'About' }).selectOption(ben.name);
    await page.getByRole('textbox', { name: 'Comment' }).fill('A pleasure.');
    await page.getByRole('button', { name: 'Leave comment' }).click();
    await expect(page.getByText(`Your comment is now on ${ben.name}’s page.`).first()).toBeVisible();
  },
);

test('watched auctions are on a list of their own, and everyone sees how many people watch', { tag: '@long' }, async ({ enter }) => {
  const [seller, ada, ben] = [await enter('seller'), await enter('ada'), await enter('ben', SERVERS[1])];
  const title = `Ship in a Bottle ${newName('x')}`;
  const address = await openAuction(seller, { title });
  await look(ben, address);
  await look(ada, address);
  await ada.page.getByRole('button', { name: /^Watch/ }).click();
  await expect(ada.page.getByRole('button', { name: /^Watching.*1 person is watching/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(ben.page.getByRole('button', { name: /^Watch.*1 person is watching/ })).toHaveAttribute('aria-pressed', 'false');
  await ada.page.goto('/me?tab=watching');
  await list(ada.page, 'Watching').getByRole('link', { name: title }).click();
  await ada.page.getByRole('button', { name: /^Watching/ }).click();
  await expect(ben.page.getByRole('button', { name: /^Watch.*0 people are watching/ })).toBeVisible();
  await ada.page.goto('/me?tab=watching');
  await expect(ada.page.getByRole('tabpanel')).toContainText('You’re not watching anything');
});
