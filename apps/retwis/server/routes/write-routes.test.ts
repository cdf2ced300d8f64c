// Every route of the timelines site that changes something, tried by everyone who may not use it.
import type { App } from '@claret/site/http.ts';
import { writeRoutesOf } from '@claret/site/testing/security/routes.ts';
import { shownTo, writesAreRefused, type Write } from '@claret/site/testing/security/writes.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import { afterAll, beforeAll } from 'vitest';

import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

const KEY = newRequestKey(Date.now());

let world: World;
let app: App;
let routes: string[];
let author: Visitor; // wrote `post` with KEY
let fan: Visitor; // follows the author, and has reposted `post`
let stranger: Visitor;
let post = '';

beforeAll(async () => {
  world = await startWorld();
  ({ app, routes } = await writeRoutesOf(() => buildApp({ claret: world.claret, password_cost: TEST_COST })));
  [author, fan, stranger] = (await Promise.all(['author', 'fan', 'stranger'].map((name) => new Visitor(app).register(name)))) as [
    Visitor,
    Visitor,
    Visitor,
  ];
  await fan.follow('author');
  const answer = await author.tryPost('the post', KEY);
  post = (answer.body['entry'] as { id: string }).id;
  await fan.repost(post);
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

/** Everything that the site shows to each of them, and logged out. */
async function everything(): Promise<unknown> {
  const urls = ['/timeline', '/latest', '/trending', '/people', `/posts/${post}`, `/posts/${post}/reposters`];
  for (const name of ['author', 'fan', 'stranger'])
    urls.push(...['', '/posts', '/followers', '/following'].map((part) => `/users/${name}${part}`));
  return shownTo([author, fan, stranger, new Visitor(app)], urls);
}

const people = () => ({ author: stranger.id, author_id: stranger.id, user_id: stranger.id, username: 'fan' });
const onPost = { address: (id: string) => `/api/posts/${id}/repost`, ids: [`${post}x`, KEY, 'author'] };
const onPerson = {
  address: (id: string) => `/api/users/${id}/follow`,
  ids: ['nobody_at_all', `${KEY}x`, 'author%20'],
  codes: ['unknown_user'],
};

const writes = (): Write[] => [
  {
    // A key belongs to its person: the same key of another person is another post.
    method: 'POST',
    route: '/api/posts',
    url: '/api/posts',
    by: stranger,
    again: 'same',
    key: KEY,
    body: { text: 'the post' },
    claims: { ...people(), posted_at_ms: 1, reposts: 99, post_id: post, id: post },
    refused: [[author, 'done']],
  },
  {
    method: 'POST',
    route: '/api/posts/:post_id/repost',
    url: `/api/posts/${post}/repost`,
    by: stranger,
    again: 'refused',
    refused: [
      [fan, 'already_reposted'],
      [stranger, 'repost_of_repost', { url: `/api/posts/${post}~${fan.id}/repost` }],
    ],
    forged: { ...onPost, codes: ['unknown_post'] },
  },
  {
    method: 'DELETE',
    route: '/api/posts/:post_id/repost',
    url: `/api/posts/${post}/repost`,
    by: fan,
    again: 'refused',
    refused: [
      [author, 'not_reposted'],
      [stranger, 'not_reposted', { url: `/api/posts/${post}~${fan.id}/repost` }],
    ],
    forged: { ...onPost, codes: ['not_reposted', 'unknown_post'] },
  },
  {
    method: 'POST',
    route: '/api/users/:username/follow',
    url: '/api/users/fan/follow',
    by: stranger,
    again: 'refused',
    refused: [
      [fan, 'own_account'],
      [fan, 'already_following', { url: '/api/users/AUTHOR/follow' }],
    ],
    forged: onPerson,
  },
  {
    method: 'DELETE',
    route: '/api/users/:username/follow',
    url: '/api/users/author/follow',
    by: fan,
    again: 'refused',
    refused: [
      [stranger, 'not_following'],
      [author, 'not_following'],
    ],
    forged: onPerson,
  },
];

writesAreRefused({
  app: () => app,
  cookie: 'claret_timelines',
  everything,
  writes,
  routes: () => routes,
  open_to_all: ['POST /api/login', 'POST /api/logout', 'POST /api/register'],
});
