// Every page of the site, logged out and for an active person, in light and in dark, on a desktop and on a phone (playwright.config.ts): no
// accessibility faults, and no horizontal scrolling.
import { expect, type BrowserContext } from '@playwright/test';
import { ask, send } from '@claret/site/e2e/people.ts';
import { arrive, bringAxe, expectReach, unvisited } from '@claret/ui/kit/e2e/reach.ts';
import type { Trending } from '../server/api.ts';
import { openComposer, test } from './site.ts';

const DEMO = { username: 'demo1', password: 'claret-demo' };

async function publicPages(context: BrowserContext): Promise<string[]> {
  const { posts } = await ask<Trending>(context, '/api/trending');
  const { id, author } = posts[0]!;
  const tabs = ['followers', 'following'].map((tab) => `/u/${author.username}?tab=${tab}`);
  return [
    '/',
    '/discover',
    '/discover?tab=latest',
    '/discover?tab=people',
    `/u/${author.username}`,
    ...tabs,
    `/p/${id}`,
    '/about',
    '/t/nothing',
    '/no/such/page',
  ];
}

test('every page is accessible, logged out', { tag: '@long' }, async ({ page, context }) => {
  await bringAxe(context);
  const pages = [...(await publicPages(context)), '/login', '/register'];
  expect(unvisited(new URL('../web/src/routes.ts', import.meta.url), pages)).toEqual([]);
  for (const address of pages) {
    await arrive(page, address);
    await expectReach(page);
  }
});

test('every page is accessible, for a person who follows, posts and reposts', { tag: '@long' }, async ({ page, context }) => {
  await bringAxe(context);
  await send(context, 'POST', '/api/login', DEMO);
  for (const address of [...(await publicPages(context)), `/u/${DEMO.username}`]) {
    await arrive(page, address);
    await expectReach(page);
  }
});

test(
  'a page’s own style sheet overrides the kit’s: on a phone, the round button replaces the field',
  { tag: '@phone' },
  async ({ page, context, isMobile }) => {
    await send(context, 'POST', '/api/login', DEMO);
    await arrive(page, '/');
    await expect(page.getByRole('main').getByRole('form', { name: 'Write a post' })).toBeVisible({ visible: !isMobile });
  },
);

test(
  'a composer with too long a text and an open account menu are accessible',
  { tag: ['@only-phone', '@dark'] },
  async ({ page, context }) => {
    await bringAxe(context);
    await send(context, 'POST', '/api/login', DEMO);
    await arrive(page, '/');
    const { field } = await openComposer(page);
    await field.fill('x'.repeat(290));
    await expectReach(page);
    await page.reload();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectReach(page);
  },
);
