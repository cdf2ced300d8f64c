// The reads of pages, from memory as long as the store promises their results (site/kept.ts).
//
// Whether a viewer has reposted a post, or follows a person, is asked for in the same message as the rest, as of the same moment. It is
// their question alone, so it is hardly ever promised, and a rest from memory would save nothing. So posts and people are kept for those
// who are logged out; lists for everybody. A username names the same person for ever, so it needs no promise (actions/usernames.ts).
import { kept } from '@claret/site/kept.ts';
import type { FastifyRequest } from 'fastify';

import { readPost } from './actions/view-post.ts';
import { storeReads, type Reads } from './actions/reads.ts';
import type { Services } from './services.ts';

export function keptReads(request: FastifyRequest, { computations: of, usernames }: Pick<Services, 'computations' | 'usernames'>): Reads {
  const stored = storeReads(request.claret);
  return {
    async post(post_id, viewer_id) {
      if (viewer_id !== null) return stored.post(post_id, viewer_id);
      const post = await kept(request, 'ViewPost', of.post, [post_id], (claret) => readPost(claret, post_id));
      return post && { ...post, reposted: false };
    },
    newest: (label, record, count) =>
      kept(request, label, of.newest, [record, count], (claret) => storeReads(claret).newest(label, record, count)),
    entries: (label, record, after) =>
      kept(request, label, of.entries, [record, after], (claret) => storeReads(claret).entries(label, record, after)),
    members: (label, record, after) =>
      kept(request, label, of.members, [record, after], (claret) => storeReads(claret).members(label, record, after)),
    async user(username) {
      const met = usernames.named(username);
      if (met !== null) return met;
      const user = await kept(request, 'FindUser', of.user, [username.toLowerCase()], (claret) => storeReads(claret).user(username));
      if (user !== null) usernames.keep(user);
      return user;
    },
    async profile(user_id, viewer_id) {
      if (viewer_id !== null) return stored.profile(user_id, viewer_id);
      return kept(request, 'Profile', of.profile, [user_id], (claret) => storeReads(claret).profile(user_id, null));
    },
    async card(user_id, viewer_id) {
      if (viewer_id !== null) return stored.card(user_id, viewer_id);
      return kept(request, 'PersonCard', of.card, [user_id], (claret) => storeReads(claret).card(user_id, null));
    },
  };
}
