import { describe, expect, it } from 'vitest';
import { Drafts } from './draft.ts';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    get length() {
      return kept.size;
    },
  } as Storage;
}

describe('drafts', () => {
  it('survive the page, separately for each person', () => {
    const storage = memory();
    new Drafts(() => storage).write('ada', 'half a thou');
    const later = new Drafts(() => storage);
    expect([later.read('ada'), later.read('bob')]).toEqual(['half a thou', '']);
  });
  it('are gone when they are emptied', () => {
    const storage = memory();
    const drafts = new Drafts(() => storage);
    drafts.write('ada', 'a');
    drafts.write('ada', '');
    expect([drafts.read('ada'), storage.length]).toEqual(['', 0]);
  });
  it('last as long as the page if storage is forbidden', () => {
    const drafts = new Drafts(() => {
      throw new Error('SecurityError');
    });
    expect(drafts.read('ada')).toBe('');
    drafts.write('ada', 'a');
    expect(drafts.read('ada')).toBe('a');
  });
});
