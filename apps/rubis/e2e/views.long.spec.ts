// The number of views on an auction's page: each opening of the page counts once, and the page does without the number if it has to.
import { expect, type Page } from '@playwright/test';
import { look, newName, on, openAuction, test } from './site.ts';

const views = (page: Page) => page.getByRole('region', { name: 'About this item' }).getByText(/^\d+ views?$/);

/** Finds the auction, reads its data by pointing at the link, and then opens its page, which only has its view to count. */
async function pointAndOpen(page: Page, title: string, address: string): Promise<void> {
  let isReadAgain = false;
  page.on('request', (request) => (isReadAgain ||= request.url().endsWith(`/api${address}/page?opened=1`)));
  // On a slow machine the data may be old by the time the link is pressed: then once more.
  do {
    isReadAgain = false;
    await page.goto(`/search?q=${encodeURIComponent(title)}`);
    const ahead = page.waitForResponse((response) => response.url().endsWith(`/api${address}/page`));
    await page.getByRole('link', { name: title }).hover();
    await ahead;
    await page.getByRole('link', { name: title }).dispatchEvent('click');
    await expect(on(page).bidding).toBeVisible();
  } while (isReadAgain);
}

test('each opening of the page counts once; a prefetch and reading the auction again count nothing', async ({ enter }) => {
  const [seller, ada, ben] = [await enter('seller'), await enter('ada'), await enter('ben')];
  const title = `Copper Kettle ${newName('x')}`;
  const address = await openAuction(seller, { title });
  await look(ada, address);
  await expect(views(ada.page)).toHaveText('1 view');

  const again = ada.page.waitForResponse((response) => response.url().endsWith(`/api${address}/page`));
  await ada.page.getByRole('button', { name: /^Watch/ }).click();
  await again;
  await expect(ada.page.getByRole('button', { name: /^Watching/ })).toBeVisible();
  await expect(views(ada.page)).toHaveText('1 view');

  await ben.page.goto(`/search?q=${encodeURIComponent(title)}`);
  const ahead = ben.page.waitForResponse((response) => response.url().endsWith(`/api${address}/page`));
  await ben.page.getByRole('link', { name: title }).hover();
  await ahead;
  await look(seller, address);
  await expect(views(seller.page)).toHaveText('2 views');
  await ben.page.getByRole('link', { name: title }).click();
  await expect(views(ben.page)).toHaveText('3 views');
});

for (const [what, fate] of [
  ['fails', 'abort'],
  ['is not answered', 'never'],
] as const) {
  test(`a page whose view ${what} shows everything else`, async ({ enter }) => {
    const [seller, ada] = [await enter('seller'), await enter('ada')];
    const title = `Copper Kettle ${newName('x')}`;
    const address = await openAuction(seller, { title });
    let asked = 0;
    await ada.page.route('**/views', (route) => {
      asked++;
      return fate === 'abort' ? route.abort() : undefined;
    });
    await pointAndOpen(ada.page, title, address);
    await expect.poll(() => asked).toBe(1);
    await expect(on(ada.page).amount).toBeVisible();
    await expect(ada.page.getByRole('region', { name: 'About this item' })).toContainText('Started at $10');
    await expect(views(ada.page)).toHaveCount(0);
    await expect(ada.page.getByRole('alert')).toHaveCount(0);
    expect(asked).toBe(1);
  });
}

test('a page that could not be read counts once it is', async ({ enter }) => {
  const [seller, ada] = [await enter('seller'), await enter('ada')];
  const address = await openAuction(seller);
  const isOfPage = (url: URL) => url.pathname.endsWith('/page');
  await ada.page.route(isOfPage, (route) => route.abort());
  await ada.page.goto(address);
  await expect(ada.page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await ada.page.unroute(isOfPage);
  const again = ada.page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 5_000 }); // the page may have read again by itself
    await expect(views(ada.page)).toHaveText('1 view', { timeout: 5_000 });
  }).toPass();
});

test('the number moves nothing when it arrives, on a narrow page', async ({ enter }) => {
  const [seller, ada] = [await enter('seller'), await enter('ada')];
  const title = `Copper Kettle ${newName('x')}`;
  const address = await openAuction(seller, { title });
  const { page } = ada;
  await page.setViewportSize({ width: 390, height: 844 });
  let letGo = () => {};
  const told = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/views', async (route) => {
    await told;
    await route.fulfill({ response: await route.fetch(), json: { views: 1_204_567 } }); // a number that needs a line of its own
  });
  await pointAndOpen(page, title, address);
  const heading = page.getByRole('heading', { name: 'Bids', exact: true });
  const before = await heading.boundingBox();
  letGo();
  await expect(page.getByText('1,204,567 views')).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
});
