import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { EntryPages } from './entryPages.ts';

/** A list whose reads the test answers; each letter is an entry, the newest first. */
function world() {
  const asked: { cursor: string | null; answer(letters: string, next?: string | null): void; fail(): void }[] = [];
  const list = new EntryPages(
    (cursor) =>
      new Promise((resolve, reject) =>
        asked.push({
          cursor,
          answer: (letters, next_cursor = null) =>
            resolve({
              entries: [...letters].map((id) => ({ id, post: { id } }) as api.Entry),
              next_cursor,
              server_time_ms: 1,
            }),
          fail: () => reject(new ApiProblem('network', 'gone')),
        }),
      ),
  );
  const shown = () =>
    list
      .state()
      .pages.flatMap(({ entries }) => entries.map(({ id }) => id))
      .join('');
  const begin = async (letters = 'ab', next: string | null = 'after b') => {
    const loading = list.load();
    asked.at(-1)!.answer(letters, next);
    await loading;
  };
  return { list, asked, shown, begin };
}

describe('a list of entries', () => {
  it('continues after the last page, until there is no more', async () => {
    const { list, asked, shown, begin } = world();
    await begin();
    const more = list.more();
    void list.more(); // pressed twice: read once
    asked[1]!.answer('cd');
    await more;
    await list.more(); // at the end: nothing to read
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, 'after b']);
    expect(shown()).toBe('abcd');
  });
  it('keeps its entries when a read fails, and continues on the next request', async () => {
    const { list, asked, shown, begin } = world();
    await begin();
    const failing = list.more();
    asked[1]!.fail();
    await failing;
    expect(list.state().moreProblem?.code).toBe('network');
    const again = list.more();
    expect(list.state().moreProblem).toBeNull();
    asked[2]!.answer('cd');
    await again;
    expect(shown()).toBe('abcd');
    const renewing = list.load();
    asked[3]!.fail();
    await renewing;
    expect([shown(), list.state().problem?.code]).toEqual(['abcd', 'network']);
  });
  it('does not append the continuation of an old first page to a new one', async () => {
    const { list, asked, shown, begin } = world();
    await begin();
    const more = list.more();
    const renewing = list.load();
    asked[2]!.answer('xy', 'after y');
    await renewing;
    asked[1]!.answer('cd');
    await more;
    expect([shown(), list.state().isLoadingMore]).toEqual(['xy', false]);
  });
  it('puts new entries above what was read before', async () => {
    const { list, asked, shown, begin } = world();
    await begin();
    const renewing = list.load();
    asked[1]!.answer('na', 'after a');
    await renewing;
    expect(shown()).toBe('nab');
    expect(list.state().pages.at(-1)!.next_cursor).toBe('after b');
  });
});
