// A whole visit, on a desktop and on a phone (playwright.config.ts).
import { expect } from '@playwright/test';
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { send } from '@claret/site/e2e/people.ts';
import {
  comeIn,
  expectNews,
  followButton,
  look,
  newName,
  on,
  openComposer,
  post,
  postWith,
  press,
  publish,
  repostButton,
  SERVERS,
  test,
} from './site.ts';

test('a visitor signs up, finds a person, follows them, reads live, reposts, posts, is followed, and logs out', async ({
  enter,
  page,
  context,
}) => {
  await bringAxe(context);
  const [ada, ben] = [await enter('ada'), await enter('ben', SERVERS[1])];
  await post(ada, `First words of ${ada.name}`);

  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign up' }).click();
  const username = newName('nell');
  await comeIn(page, 'Sign up', username);
  await expect(page.getByRole('button', { name: `Account of ${username}` })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your timeline starts here' })).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).click();
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('main').getByRole('link', { name: ada.name }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: ada.name })).toBeVisible();
  await press('/follow', followButton(page, ada.name).follow);
  await expect(followButton(page, ada.name).unfollow).toBeVisible();
  await expect(page.getByRole('list', { name: `About ${ada.name}` })).toContainText('1 follower');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Home/ }).click();
  await expectNews(page, `First words of ${ada.name}`);
  await expect(on(page).live).toBeVisible();
  await post(ada, `More words of ${ada.name}`);
  await expectNews(page, `More words of ${ada.name}`);
  const words = postWith(page, `More words of ${ada.name}`);
  await press('/repost', repostButton(words));
  await expect(repostButton(words)).toHaveAccessibleName(/1 repost$/);

  // One's own posts and reposts go to one's followers.
  await send(ben.context, 'POST', `/api/users/${username}/follow`);
  await look(ben);
  await expect(postWith(ben.page, `More words of ${ada.name}`)).toContainText(`${username} reposted`);
  const composer = await openComposer(page);
  await composer.field.fill(`My own words, ${username}`);
  await expectReach(page);
  await publish(page, () => composer.send.click());
  await expect(postWith(page, `My own words, ${username}`)).toBeVisible();
  await expectNews(ben.page, `My own words, ${username}`);
  await expectReach(page);

  await page.getByRole('button', { name: `Account of ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page.getByRole('list', { name: `About ${username}` })).toContainText('1 follower');
  await expectReach(page);
  await page.getByRole('button', { name: `Account of ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log in' })).toBeVisible();
});
