import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { hasMoved, idsOf, inOrderOf } from './trendingOrder.ts';

function trending(server_time_ms: number, reposts: Record<string, number>): api.Trending {
  const author = { id: 'u1', username: 'ada' };
  const posts = Object.entries(reposts).map(([id, count]) => ({ id, author, text: id, posted_at_ms: 1, reposts: count, reposted: false }));
  return { posts, server_time_ms };
}

describe('the order of trending posts', () => {
  it('has changed when the posts or their order differ, not when their counts do', () => {
    const shown = idsOf(trending(1, { a: 3, b: 2 }));
    expect(hasMoved(shown, idsOf(trending(2, { a: 9, b: 2 })))).toBe(false);
    for (const now of [{ b: 4, a: 3 }, { a: 3 }, { a: 3, c: 2 }, { a: 3, b: 2, c: 1 }, {}] as Record<string, number>[])
      expect(hasMoved(shown, idsOf(trending(2, now))), Object.keys(now).join()).toBe(true);
  });
  it('stays as shown, with the latest data of each post', () => {
    const shown = inOrderOf(trending(1, { a: 3, b: 2 }), trending(2, { c: 9, b: 4 }));
    expect(shown.map(({ post, read_at_ms }) => [post.id, post.reposts, read_at_ms])).toEqual([
      ['a', 3, 1],
      ['b', 4, 2],
    ]);
  });
});
