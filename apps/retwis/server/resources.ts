// Public resources of the timeline site: what caches may keep (site/public.ts).
import type { Claret } from '@claret/client';
import type { AddResource } from '@claret/site/public.ts';

import { postOf, postReads } from './actions/view-post.ts';
import { PostParams, type PublicPost } from './api.ts';
import { RequestProblem } from './problem.ts';

export function publicPosts(add: AddResource, claret: Claret): void {
  add('/posts/:post_id', {
    label: 'PublicPost',
    params: PostParams,
    async read(tx, { post_id }): Promise<PublicPost> {
      const [info, reposts] = postReads(claret, post_id);
      const post = postOf(post_id, ...(await Promise.all([tx.perform(info), tx.perform(reposts)])));
      if (post === null) throw new RequestProblem('unknown_post');
      return { post };
    },
  });
}
