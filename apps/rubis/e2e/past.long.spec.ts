// A closed auction as it was: a slider over its last minutes, from real reads of the past.
import { setTimeout } from 'node:timers/promises';
import { expect, type Response } from '@playwright/test';
import { bid, look, on, openAuction, openShortAuction, test } from './site.ts';

/** At least so far, in several steps of the slider, are the bids from each other. */
const APART_MS = 800;

test('a closed auction can be seen as it was before its last bids', async ({ enter }) => {
  const [seller, ada, ben] = [await enter('seller'), await enter('ada'), await enter('ben')];
  const address = await openShortAuction(seller, { title: 'Glass Lantern', duration_seconds: 5 }, async (opened) => {
    await setTimeout(APART_MS);
    await bid(ada, opened, { amount_cents: 12_00 });
    await setTimeout(APART_MS);
    await bid(ben, opened, { amount_cents: 15_00 });
  });
  const reads: string[] = [];
  ada.page.on('request', (request) => void (request.url().includes('/past') && reads.push(request.url())));
  await ada.page.goto(address);
  const past = ada.page.getByRole('region', { name: 'The auction as it was' });
  await expect(past).toBeVisible();
  await expect(past).toContainText('at the end');
  await expect(past).toContainText('$15.00 · 2 bids');
  expect(reads).toHaveLength(1);
  const slider = past.getByRole('slider', { name: 'Moment' });
  await slider.press('Home');
  await expect(past).toContainText('It hadn’t been opened yet.');
  await expect(past).toContainText(/before the end/);
  for (const shown of ['$10.00 · no bids yet', '$12.00 · 1 bid', '$15.00 · 2 bids']) {
    const step = async () => {
      const isRead = (response: Response) => response.url().includes('/past') && response.status() !== 503;
      await Promise.all([ada.page.waitForResponse(isRead), slider.press('ArrowRight')]);
      await expect(past).toContainText(shown, { timeout: 1_000 });
    };
    await expect(step, shown).toPass();
  }
  await slider.press('End');
  await expect(past).toContainText('$15.00 · 2 bids');
});

test('an open auction has no past to look at', async ({ enter }) => {
  const [seller, ada] = [await enter('seller'), await enter('ada')];
  await look(ada, await openAuction(seller));
  await expect(on(ada.page).amount).toBeVisible();
  await expect(ada.page.getByRole('region', { name: 'The auction as it was' })).toHaveCount(0);
});
