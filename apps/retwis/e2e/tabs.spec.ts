// Several tabs of one person's browser, which opens only six connections to a server. Thirty: apps/site/e2e/tabs.long.spec.ts.
import { streamsOf } from '@claret/ui/kit/e2e/tabs.ts';
import { expect } from '@playwright/test';
import { follow, look, on, post, SERVERS, test } from './site.ts';

test('four tabs with different pages are live on one stream, and a post made elsewhere reaches each list', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ada, ben);
  const post_id = await post(ben, 'The first letter');
  const streams = streamsOf(ada.context, '/api/live');
  const addresses = ['/', `/p/${post_id}`, `/u/${ben.name}`, '/'];
  const tabs = await Promise.all(addresses.map(async (address) => ({ address, page: await ada.context.newPage() })));
  await Promise.all(tabs.map(({ page, address }) => look({ ...ada, page }, address)));
  await expect.poll(streams).toHaveLength(1);

  await post(ben, 'The second letter');
  for (const { page, address } of tabs) if (address === '/') await expect(on(page).news).toHaveText('1 new post');
});
