import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { key, repostEntry } from '../../../apps/retwis/server/model.ts';
import { RepostCheck } from './repost-check.ts';

it('who is counted and who has it on their page must be who has reposted it; who is in doubt is let be', async () => {
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
  expect(await check.mismatches(claret)).toEqual([
    'post p: lost has reposted it, but is not counted and has it not on their page',
    'post p: halved has reposted it, but is counted and has it not on their page',
    'post p: extra has not reposted it, but is counted and has it on their page',
  ]);
  await cluster.stop();
});
