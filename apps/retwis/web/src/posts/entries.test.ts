import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { countPosts, joinEntries, shownEntries, withEntry, withoutEntry } from './entries.ts';

/** Post `id` at its time; `5~ada@9`: post 5, reposted by ada at 9 s. */
function entry(text: string): api.Entry {
  const [id, at] = text.split('@') as [string, string?];
  const [post_id, reposter] = id.split('~') as [string, string?];
  const post = { id: post_id, author: { id: 'a', username: 'author' }, text: '', posted_at_ms: 0, reposts: 0, reposted: false };
  return { id, at_ms: Number(at ?? post_id) * 1_000, reposted_by: reposter ? { id: reposter, username: reposter } : null, post };
}
const page = (ids: string, next_cursor: string | null = null, read_at_s = 1_000): api.EntryPage => ({
  entries: ids.split(' ').filter(Boolean).map(entry),
  next_cursor,
  server_time_ms: read_at_s * 1_000,
});
const ids = (pages: readonly api.EntryPage[]) => pages.flatMap(({ entries }) => entries.map(({ id }) => id)).join(' ');
describe('pages of entries', () => {
  it('show each post once, at its latest entry', () => {
    const shown = shownEntries([page('5~ada@9 8 7', 'c'), page('6 5 4')]);
    expect(shown.map(({ entry }) => entry.id)).toEqual(['5~ada', '8', '7', '6', '4']);
  });
  it('grow at the top when the first page is read again', () => {
    const before = [page('7 6 5', 'after 5'), page('4 3 2', 'after 2')];
    const joined = joinEntries(page('9 8 7', 'after 7'), before);
    expect(ids(joined)).toBe('9 8 7 6 5 4 3 2');
    expect(joined.at(-1)!.next_cursor).toBe('after 2');
  });
  it('lose entries that the newer answer no longer has', () => {
    expect(ids(joinEntries(page('9 6 5', 'after 5'), [page('7 6 5', 'c'), page('4 3')]))).toBe('9 6 5 4 3');
  });
  it('start from scratch rather than have a gap', () => {
    const joined = joinEntries(page('30 29 28', 'after 28'), [page('7 6 5', 'after 5'), page('4 3')]);
    expect(ids(joined)).toBe('30 29 28');
    expect(joined.at(-1)!.next_cursor).toBe('after 28');
  });
  it('are replaced by a first page that is the whole list', () => {
    expect(ids(joinEntries(page('7'), [page('7 6', 'c'), page('5')]))).toBe('7');
    expect(ids(joinEntries(page(''), [page('7 6')]))).toBe('');
  });
  it('accept the viewer’s own entry on top, once, and remove it again', () => {
    const pages = withEntry(withEntry([page('7 6', 'c'), page('5')], entry('8')), entry('8'));
    expect(ids(pages)).toBe('8 7 6 5');
    expect(ids(withoutEntry(pages, '6'))).toBe('8 7 5');
    expect(withoutEntry(pages, 'none')).toBe(pages);
    expect(withEntry([], entry('8'))).toEqual([]);
  });
  it('count each post once, and not the reader’s own reposts', () => {
    const entries = ['5~me', '6', '6~ada', '7~ada', '7~bob', 'me'];
    expect([countPosts(entries, 'me'), countPosts(entries, null), countPosts([], 'me')]).toEqual([3, 4, 0]);
  });
});
