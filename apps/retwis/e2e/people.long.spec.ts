// People: finding and following them, and never oneself.
import { expect } from '@playwright/test';
import { comeIn, expectNews, followButton, look, on, post, press, SERVERS, test } from './site.ts';

test('people cannot follow themselves: neither on their page nor in a list', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben');
  for (const path of [`/u/${ada.name}`, '/discover?tab=people']) {
    await look(ada, path);
    await expect(ada.page.getByRole('main').getByText(ada.name).first()).toBeVisible();
    await expect(ada.page.getByRole('button', { name: new RegExp(`^Follow(ing)? ${ada.name}\\b`) })).toHaveCount(0);
  }
  await expect(ada.page.getByRole('button', { name: `Follow ${ben.name}`, exact: true })).toBeVisible();
  const follow = async () => {
    const refused = await ada.context.request.post(`/api/users/${ada.name}/follow`, { headers: { 'x-claret-csrf': '1' } });
    return [refused.status(), (await refused.json()).code];
  };
  await expect.poll(follow, 'also a busy site refuses it in the end').toEqual([403, 'own_account']);
});

test('a person sees a new follower: the count on the page, and the name in the list', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await look(ada, `/u/${ada.name}`);
  const about = ada.page.getByRole('list', { name: `About ${ada.name}` });
  await expect(about).toContainText('0 followers');
  await look(ben, `/u/${ada.name}`);
  await press('/follow', followButton(ben.page, ada.name).follow);
  await expect(about).toContainText('1 follower');
  await about.getByRole('link', { name: /follower/ }).click();
  await expect(ada.page.getByRole('main').getByRole('link', { name: ben.name })).toBeVisible();
});

test('the latest posts of a person appear on the timeline of a new follower', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben');
  for (const text of ['Older', 'Old']) await post(ada, `${text} words of ${ada.name}`);
  await look(ben, `/u/${ada.name}`);
  await press('/follow', followButton(ben.page, ada.name).follow);
  await expect(followButton(ben.page, ada.name).unfollow).toBeVisible();
  await look(ben);
  // They are copied after the answer to the click, so the page may have been read before.
  await expectNews(ben.page, `Older words of ${ada.name}`);
  await expect(on(ben.page).posts).toContainText([`Old words of ${ada.name}`, `Older words of ${ada.name}`]);
});

test('a logged-out visitor who wants to follow is led to the login, and back', async ({ enter, page }) => {
  const ada = await enter('ada');
  const ben = await enter('ben');
  await page.goto(`/u/${ada.name}`);
  await page
    .getByRole('main')
    .getByRole('link', { name: `Follow ${ada.name}: log in first` })
    .click();
  await comeIn(page, 'Log in', ben.name);
  await expect(page.getByRole('heading', { level: 1, name: ada.name })).toBeVisible();
  await expect(followButton(page, ada.name).follow).toBeVisible();
});

test('new posts and reposts appear on discover by themselves', async ({ enter, page }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await page.goto('/discover?tab=latest');
  await expect(on(page).live).toBeVisible();
  const text = `Read all about it ${ada.name}`;
  const post_id = await post(ada, text);
  await expectNews(page, text);
  await look(ben, `/p/${post_id}`);
  await press('/repost', ben.page.getByRole('button', { name: 'Repost', exact: true }));
  await expect(
    page
      .getByRole('article')
      .filter({ hasText: text })
      .getByRole('button', { name: /^Repost\b/ }),
  ).toHaveAccessibleName(/1 repost$/);
  await expect(ben.page.getByRole('main').getByRole('link', { name: ben.name })).toBeVisible();
});
