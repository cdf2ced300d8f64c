// The paper's retwis (../../workloads/retwis.ts) among few people: the timelines site's own transactions.
import { kronecker } from '../../workloads/kronecker.ts';
import { Retwis, type RetwisKind } from '../../workloads/retwis.ts';
import type { Workload } from '../workload.ts';

/** Sixteen people. */
const SCALE = 4;
/** Rare ones come as often as others: they conflict with most. A repost that nobody wants is a look at a timeline. */
const KINDS: readonly RetwisKind[] = ['timeline', 'timeline', 'repost', 'repost', 'post', 'follow', 'new_user'];

export const retwis: Workload = {
  name: 'retwis',
  inARow: 2,
  begin(chance) {
    const graph = kronecker(SCALE, chance.next);
    const site = new Retwis(graph, 'post-heavy', chance.next);
    const known = new WeakSet<object>();
    return {
      run(claret) {
        // Each app server for itself: it changes nothing the second time.
        if (!known.has(claret)) {
          known.add(claret);
          return Retwis.load(claret, graph);
        }
        return site.run(claret, chance.pick(KINDS));
      },
    };
  },
};
