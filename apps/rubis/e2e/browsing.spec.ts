// Browsing like RUBiS' visitors: by category, by region, and by both.
import { expect } from '@playwright/test';
import { catalogue, openAuction, test } from './site.ts';

test('a visitor goes from all categories to one, and from a region to one category there', async ({ enter, page }) => {
  const seller = await enter('seller');
  const { categories, regions } = await catalogue(seller.context);
  const [category, region] = [categories[0]!, regions[0]!]; // as openAuction and enter choose them
  await openAuction(seller, { title: 'Garden Lantern', duration_seconds: 300 });

  await page.goto('/browse/categories');
  await expect(page.getByRole('heading', { level: 1, name: 'Categories' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(new Set(categories.map(({ group }) => group)).size);
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${category.name} `) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: category.name })).toBeVisible();
  await expect(page).toHaveURL(`/browse?category=${category.id}`);

  await page.getByRole('link', { name: 'Regions' }).click();
  await page.getByRole('main').getByRole('link', { name: region.name, exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: `${region.name}, ${region.state}` })).toBeVisible();
  await expect(page.getByText(/\d+ open auctions?/)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: category.name, exact: true }).click();
  await expect(page).toHaveURL(`/browse?category=${category.id}&region=${region.id}`);
  await expect(page.getByRole('link', { name: 'Garden Lantern' }).first()).toBeVisible();
});

test('an unknown region says so', async ({ page }) => {
  await page.goto('/browse/regions/atlantis');
  await expect(page.getByRole('heading', { level: 1, name: 'Region not found' })).toBeVisible();
});

test('an unknown category says so', async ({ page }) => {
  await page.goto('/browse?category=atlantis');
  await expect(page.getByRole('heading', { level: 1, name: 'Category not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Browse auctions' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
});

test('a tab shows the focus for the keyboard, not for the mouse', async ({ enter }) => {
  const ada = await enter('ada');
  await ada.page.goto('/me');
  const won = ada.page.getByRole('tab', { name: /^Won/ });
  await won.click();
  await expect(won).toBeFocused();
  await expect(won).toHaveCSS('outline-style', 'none');
  await ada.page.keyboard.press('ArrowRight');
  const bought = ada.page.getByRole('tab', { name: /^Bought/ });
  await expect(bought).toBeFocused();
  await expect(bought).toHaveCSS('outline-style', 'solid');
});
