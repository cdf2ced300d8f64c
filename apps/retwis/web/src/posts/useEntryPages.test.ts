import { describe, expect, it } from 'vitest';
import { entryPagesOf } from './useEntryPages.ts';

describe('kept lists', () => {
  it('stay while a component shows them, however many others are opened; of the others the oldest are dropped first', () => {
    const timeline = entryPagesOf('ada', '/timeline');
    const end = timeline.subscribe(() => undefined);
    const first = entryPagesOf('ada', '/users/0/posts');
    for (let i = 1; i < 40; i++) entryPagesOf('ada', `/users/${i}/posts`);
    expect(entryPagesOf('ada', '/timeline')).toBe(timeline);
    expect(entryPagesOf('ada', '/users/0/posts')).not.toBe(first);
    end();
    for (let i = 0; i < 40; i++) entryPagesOf('ada', `/users/${i}/posts`);
    expect(entryPagesOf('ada', '/timeline')).not.toBe(timeline);
  });
});
