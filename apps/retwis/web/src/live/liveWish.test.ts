import { describe, expect, it } from 'vitest';
import { liveAddress, NOTHING, queryFor } from './liveWish.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `p${from + i}`);

describe('the query of the live stream', () => {
  it('combines all wishes on the page, without duplicates', () => {
    const query = queryFor([{ timeline: true }, { posts: ['b'] }, { posts: ['a', 'b'], users: ['ada'] }], NOTHING);
    expect(liveAddress([query])).toBe('/api/live?timeline=1&posts=a%2Cb&users=ada');
    expect(liveAddress([NOTHING])).toBe('/api/live');
  });
  it('stays the same while the stream carries all wishes, even if there are fewer', () => {
    const query = queryFor([{ latest: true, posts: ['a', 'b'] }], NOTHING);
    expect(queryFor([{ posts: ['b'] }], query)).toBe(query);
    expect(queryFor([{ posts: ['b'] }, { trending: true }], query)).not.toBe(query);
  });
  it('keeps posts that scrolled out of view while there is room, and never at the cost of visible ones', () => {
    let query = queryFor([{ posts: ids(0, 50) }], NOTHING);
    query = queryFor([{ posts: ids(40, 90) }], query);
    expect(query.posts).toHaveLength(60);
    expect(query.posts).toEqual(ids(30, 90));
    expect(queryFor([{ posts: ids(35, 45) }], query)).toBe(query);
  });
  it('includes posts that may soon be visible when it changes, but does not change for them', () => {
    const query = queryFor([{ posts: ids(0, 5) }, { soon: ids(5, 20) }], NOTHING);
    expect(query.posts.toSorted()).toEqual(ids(0, 20).toSorted());
    expect(queryFor([{ posts: ids(5, 10) }, { soon: ids(10, 30) }], query)).toBe(query);
    const next = queryFor([{ posts: ids(18, 23) }, { soon: ids(23, 80) }], query);
    expect(next.posts).toHaveLength(60);
    expect(next.posts).toEqual(expect.arrayContaining(ids(18, 23)));
    expect(next.posts).not.toContain('p0');
  });
  it('names no more than the server accepts, the newest wishes first', () => {
    const query = queryFor([...ids(0, 100).map((id) => ({ posts: [id] })), { users: ids(0, 30) }], NOTHING);
    expect(query.posts).toEqual(ids(40, 100));
    expect(query.users).toEqual(ids(10, 30));
    expect(queryFor([...ids(0, 100).map((id) => ({ posts: [id] })), { users: ids(0, 30) }], query)).toBe(query);
  });
  it('does not depend on the order of wishes', () => {
    expect(liveAddress([queryFor([{ posts: ['b', 'a'] }], NOTHING)])).toBe(
      liveAddress([queryFor([{ posts: ['a'] }, { posts: ['b'] }], NOTHING)]),
    );
  });
  it('has a stream that carries what all pages show, and of too many posts the newest', () => {
    const pages = [
      { timeline: true, posts: ['a'] },
      { posts: ['b'], users: ['ada'] },
    ].map((wish) => queryFor([wish], NOTHING));
    expect(liveAddress(pages)).toBe('/api/live?timeline=1&posts=a%2Cb&users=ada');
    const many = [0, 60, 120, 180, 240].map((from) => queryFor([{ posts: ids(from, from + 60) }], NOTHING));
    const named = new URLSearchParams(liveAddress(many).split('?')[1]).get('posts')!.split(',');
    expect(named.toSorted()).toEqual(ids(60, 300).toSorted());
  });
});
