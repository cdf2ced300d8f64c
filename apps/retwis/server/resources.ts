// Public resources of the timeline site: what caches may keep (site/public.ts).
import type { AddResource } from '@claret/site/public.ts';
import { Type } from 'typebox';

import { PostParams, UserParams, type PublicPerson, type PublicPost, type PublicTrending } from './api.ts';
import type { Computations } from './computations.ts';
import { RequestProblem } from './problem.ts';
import { isUsername } from './routes/named.ts';

export function publicResources(add: AddResource, { post, publicTrending, publicPerson }: Computations): void {
  add('/posts/:post_id', {
    label: 'PublicPost',
    params: PostParams,
    async read(tx, { post_id }): Promise<PublicPost> {
      const found = await tx.call(post, post_id);
      if (found === null) throw new RequestProblem('unknown_post');
      return { post: found };
    },
  });
  add('/trending', {
    label: 'PublicTrending',
    params: Type.Object({}),
    read: async (tx): Promise<PublicTrending> => ({ posts: await tx.call(publicTrending) }),
  });
  add('/people/:username', {
    label: 'PublicPerson',
    params: UserParams,
    async read(tx, { username }): Promise<PublicPerson> {
      const found = isUsername(username) ? await tx.call(publicPerson, username.toLowerCase()) : null;
      if (found === null) throw new RequestProblem('unknown_user');
      return found;
    },
  });
}
