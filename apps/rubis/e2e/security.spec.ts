// Attacks on the auction site's pages.
import { hostileTests } from '@claret/site/e2e/hostile-tests.ts';
import { MARKUP } from '@claret/site/e2e/hostile.ts';
import { ask, send, type Person } from '@claret/site/e2e/people.ts';
import { catalogue, SERVERS, test } from './site.ts';

// The longest title has 80 characters.
const TITLE = MARKUP.slice(0, 80);

hostileTests(test, {
  servers: SERVERS,
  nameField: 'Nickname',
  // The others show markup.
  pages: ['/', '/browse/categories', '/browse/regions', '/sell', '/no/such/page'],
  async openAll(page) {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.keyboard.press('Escape');
  },
  async writeMarkup(author, other) {
    const { categories, regions } = await catalogue(author.context);
    const item = {
      title: TITLE,
      description: MARKUP,
      category_id: categories[3]!.id,
      start_price_cents: 1_00,
      buy_now_price_cents: 5_00,
      duration_seconds: 3_000,
    };
    const { item_id } = await send<{ item_id: string }>(author.context, 'POST', '/api/items', item);
    await send(other.context, 'POST', `/api/items/${item_id}/bids`, { amount_cents: 2_00 });
    // The item sells out, so that both may comment, and it shows among the ended auctions.
    const { item_id: sold } = await send<{ item_id: string }>(author.context, 'POST', '/api/items', item);
    await send(other.context, 'POST', `/api/items/${sold}/buy`, { quantity: 1 });
    await send(other.context, 'POST', `/api/items/${sold}/comments`, { rating: -5, text: MARKUP });
    await send(author.context, 'POST', `/api/items/${sold}/comments`, { rating: 5, text: MARKUP });
    const people = await Promise.all([author, other].map(({ context }) => ask<{ user: { id: string } }>(context, '/api/session')));
    const pages = [
      `/items/${item_id}`,
      `/items/${item_id}/bids`,
      `/items/${sold}`,
      '/search?q=onerror',
      `/browse?category=${categories[3]!.id}&region=${regions[0]!.id}`,
      ...people.map(({ user }) => `/users/${user.id}`),
      '/me',
      '/inbox',
    ];
    return [...pages.map((path): [Person, string] => [other, path]), [author, `/items/${item_id}`], [author, '/inbox']];
  },
  async write(context) {
    const { categories } = await catalogue(context);
    const body = { title: 'Not mine', description: '', category_id: categories[0]!.id, start_price_cents: 1_00, duration_minutes: 60 };
    const done = async () => (await ask<{ selling: unknown[] }>(context, '/api/me')).selling;
    return { path: '/api/items', body, done };
  },
});
