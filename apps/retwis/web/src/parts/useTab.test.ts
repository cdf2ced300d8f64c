import { describe, expect, it } from 'vitest';
import { tabOf } from './useTab.ts';

describe('the tab in an address', () => {
  const tabs = ['posts', 'followers'] as const;
  it('is the one it names', () => {
    expect(tabOf(tabs, new URLSearchParams('tab=followers'))).toBe('followers');
  });
  it('is the first one where none is named, or none that there is', () => {
    for (const query of ['', 'tab=', 'tab=nothing', 'tab=Followers', 'x=followers'])
      expect(tabOf(tabs, new URLSearchParams(query)), query).toBe('posts');
  });
});
