// App servers restart without any loss.
import { expect } from '@playwright/test';
import { sent, serversNamed } from '@claret/site/e2e/people.ts';
import { saidBy } from '@claret/ui/kit/e2e/said.ts';
import { AppServer } from './app-server.ts';
import { expectNews, follow, look, on, post, postWith, test, write } from './site.ts';

test('a server restart ends no session, and the page recovers by itself', async ({ enter }) => {
  const server = await AppServer.beside(serversNamed('CLARET_TEST_GATEWAYS'));
  await server.start();
  try {
    const ada = await enter('ada', server.url);
    const ben = await enter('ben');
    await follow(ada, ben);
    await post(ben, 'Before the break');
    await look(ada);
    await expect(postWith(ada.page, 'Before the break')).toBeVisible();

    const said = await saidBy(ada.page, '[role=status]');
    await server.stop();
    await expect(on(ada.page).live).toHaveCount(0);
    await expect(ada.page.getByRole('status').getByText('The site can’t be reached. New posts may be missing')).toBeVisible();
    await post(ben, 'During the break');
    await write(ada.page, 'Written while nobody listened');
    await expect(ada.page.getByRole('alert').filter({ hasText: /not have been posted/i })).toBeVisible();

    await server.start();
    await expect.poll(said).toContainEqual(expect.stringContaining('The connection is back.'));
    await expect(on(ada.page).live).toBeVisible();
    await expect(on(ada.page).news).toBeVisible();
    await expectNews(ada.page, 'During the break');
    await sent(ada.page, '/api/posts', () => ada.page.getByRole('button', { name: 'Try again' }).click());
    await expect(ada.page.getByRole('alert').filter({ hasText: /not have been posted/i })).toHaveCount(0);
    await expect(postWith(ada.page, 'Written while nobody listened')).toBeVisible();
    await ada.page.reload();
    await expect(ada.page.getByRole('button', { name: `Account of ${ada.name}` })).toBeVisible();
    await expect(postWith(ada.page, 'Written while nobody listened')).toHaveCount(1);
  } finally {
    await server.stop();
  }
});
