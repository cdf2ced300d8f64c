// Two people in two browsers at two app servers.
import { expect } from '@playwright/test';
import { send } from '@claret/site/e2e/people.ts';
import { settle } from '@claret/ui/kit/e2e/reach.ts';
import { expectNews, follow, followButton, look, on, post, postWith, press, publish, repostButton, SERVERS, test, write } from './site.ts';

test('a post is announced to a follower in another browser without a reload, and the list moves only on request', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada);
  for (let i = 1; i <= 12; i++) await post(ada, `Letter ${i} of many`);
  await look(ben);
  const read = postWith(ben.page, 'Letter 6 of many');
  await read.scrollIntoViewIfNeeded();
  await settle(ben.page);
  const place = await read.boundingBox();

  await look(ada);
  await publish(ada.page, () => write(ada.page, 'The newest letter'));
  await expect(postWith(ada.page, 'The newest letter')).toBeVisible();
  await expect(on(ben.page).news).toHaveText('1 new post');
  await expect(postWith(ben.page, 'The newest letter')).toHaveCount(0);
  expect(await read.boundingBox()).toEqual(place);

  await on(ben.page).news.click();
  await expect(on(ben.page).posts.first()).toContainText('The newest letter');
  await expect(postWith(ben.page, 'The newest letter')).toBeInViewport();
  await expect(on(ben.page).news).toHaveCount(0);

  // Several wait behind one button.
  for (const text of ['First', 'Second', 'Third']) await post(ada, `${text} of three`);
  await expect(on(ben.page).news).toHaveText('3 new posts');
  await on(ben.page).news.click();
  await expect(on(ben.page).posts).toContainText(['Third of three', 'Second of three', 'First of three', 'The newest letter']);
});

test('a repost raises the count in both browsers, and undoing it lowers it', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada);
  const post_id = await post(ada, 'Pass this on');
  await look(ada, `/p/${post_id}`);
  await look(ben);
  const hers = ada.page.getByRole('main').getByRole('article');
  const his = postWith(ben.page, 'Pass this on');
  await expect(repostButton(his)).toHaveAccessibleName('Repost');
  await press('/repost', repostButton(his));
  await expect(repostButton(his)).toHaveAttribute('aria-pressed', 'true');
  await expect(repostButton(his)).toHaveAccessibleName(/1 repost$/);
  await expect(hers).toContainText('1 repost');

  await press('/repost', repostButton(his));
  await expect(repostButton(his)).toHaveAttribute('aria-pressed', 'false');
  await expect(repostButton(his)).toHaveAccessibleName('Repost');
  await expect(hers).toContainText('0 reposts');
});

test('unfollowing ends the delivery of posts', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada); // journey.spec.ts follows by the button
  await post(ada, 'While he follows');
  await look(ben, `/u/${ada.name}`);
  await press('/follow', followButton(ben.page, ada.name).unfollow);
  await expect(ben.page.getByRole('list', { name: `About ${ada.name}` })).toContainText('0 followers');
  await look(ben);
  await post(ada, 'When he does not any more');
  // A later event on the same stream shows that the earlier one would have arrived.
  const cleo = await enter('cleo');
  await follow(ben, cleo);
  await post(cleo, 'From somebody else');
  await expectNews(ben.page, 'From somebody else');
  await expect(postWith(ben.page, 'When he does not any more')).toHaveCount(0);
});

test('two app servers show the same', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben');
  await follow(ben, ada);
  const post_id = await post(ada, 'Everywhere alike');
  await post(ben, 'My own');
  await send(ben.context, 'POST', `/api/posts/${post_id}/repost`);
  const shown: string[][] = [];
  for (const server of SERVERS.slice(0, 2)) {
    for (const path of ['/', `/u/${ben.name}`]) {
      await ben.page.goto(server + path);
      await expect(postWith(ben.page, 'Everywhere alike').first()).toContainText('1');
      shown.push([path, ...(await on(ben.page).posts.locator('[dir=auto]').allTextContents())]);
    }
  }
  expect(shown.slice(shown.length / 2)).toEqual(shown.slice(0, shown.length / 2));
});
