import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { key, repostEntry } from '../../../apps/retwis/server/model.ts';
import { RepostCheck } from './repost-check.ts';

it('the counted people and the pages must match the reposts, except for people with an unknown outcome', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const { on } = claret;
  const check = new RepostCheck('p', ['has', 'undid', 'lost', 'halved', 'extra', 'doubtful']);
  for (const user_id of ['has', 'undid', 'lost', 'halved']) check.reposted(user_id, true);
  check.reposted('undid', false);
  check.unsure('doubtful');
  const counted = ['has', 'halved', 'extra', 'doubtful', 'visitor'];
  const listed = ['has', 'extra', 'visitor'];
  await claret.transact('Store', [
    ...counted.map((user_id) => on.set(key.post_reposts('p')).add(user_id)),
    ...listed.map((user_id) => on.scoredSet(key.posts(user_id)).add(repostEntry('p', user_id), -1)),
  ]);
  expect(check.hasReposted('has')).toBe(true);
  expect(check.hasReposted('undid')).toBe(false);
  const wrongCount = (how: string, who: string, found: string) =>
    `reposts: ${key.post_reposts('p')}: expected it ${how} ${who}, as acknowledged, found them ${found} it`;
  const wrongPage = (how: string, who: string, found: string) =>
    `reposts: ${key.posts(who)}: expected it ${how} ${repostEntry('p', who)}, found it ${found}`;
  expect((await check.check(claret)).mismatches).toEqual([
    wrongCount('with', 'lost', 'not among'),
    wrongPage('with', 'lost', 'not there'),
    wrongPage('with', 'halved', 'not there'),
    wrongCount('without', 'extra', 'among'),
    wrongPage('without', 'extra', 'there'),
  ]);
  await cluster.stop();
});
