// The paper's retwis (../../workloads/retwis.ts) with few people, and the timelines site's other transactions on the same records.
import type { Claret } from '@claret/client';
import { catchUp } from '../../../apps/retwis/server/actions/catch-up.ts';
import { unfollow } from '../../../apps/retwis/server/actions/follow.ts';
import { post } from '../../../apps/retwis/server/actions/post.ts';
import { undoRepost } from '../../../apps/retwis/server/actions/repost.ts';
import { trimTimeline, viewTimeline } from '../../../apps/retwis/server/actions/timeline.ts';
import { kronecker } from '../../../apps/retwis/server/data/graph.ts';
import { EPOCH_MS, person } from '../../workloads/retwis-data.ts';
import type { RetwisKind } from '../../workloads/retwis-mixes.ts';
import { Retwis } from '../../workloads/retwis.ts';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';

/** Sixteen people. */
const SCALE = 4;
/** Rare kinds are as frequent as others, because they conflict with most. A repost without a wanted post is a view of a timeline. */
const KINDS: readonly RetwisKind[] = ['timeline', 'timeline', 'repost', 'repost', 'post', 'follow', 'new_user'];
const SITE_SHARE = 0.4;
const TIMELINE_MAX = 10;

/** Transactions that the paper's mix lacks. */
const SITE: readonly ((claret: Claret, chance: Chance) => Promise<unknown>)[] = [
  (claret, chance) => {
    const author = someone(chance);
    return post(claret, { author, text: 'A post.', posted_at_ms: EPOCH_MS + chance.below(1_000_000) });
  },
  async (claret, chance) => {
    const user_id = someone(chance).id;
    const { entries } = await viewTimeline(claret, { user_id, after: null });
    if (entries.length > 0) await undoRepost(claret, { user_id, post_id: chance.pick(entries).post.id });
  },
  (claret, chance) => catchUp(claret, { follower_id: someone(chance).id, followed_id: someone(chance).id }),
  (claret, chance) => unfollow(claret, { follower_id: someone(chance).id, followed_id: someone(chance).id }),
  (claret, chance) => trimTimeline(claret, { user_id: someone(chance).id, max: TIMELINE_MAX }),
];

const someone = (chance: Chance) => person(chance.below(2 ** SCALE));

export const retwis: Workload = {
  name: 'retwis',
  inARow: 2,
  begin(chance) {
    const graph = kronecker(SCALE, chance.next);
    const site = new Retwis(graph, 'post-heavy', chance.next);
    const known = new WeakSet<object>();
    return {
      async run(claret) {
        // Once per app server: repeating it changes nothing.
        if (!known.has(claret)) {
          known.add(claret);
          return Retwis.load(claret, graph);
        }
        if (chance.next() >= SITE_SHARE) return site.run(claret, chance.pick(KINDS));
        await chance.pick(SITE)(claret, chance);
      },
    };
  },
};
