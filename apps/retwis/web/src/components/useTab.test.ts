import { describe, expect, it } from 'vitest';
import { tabOf } from './useTab.ts';

describe('the tab in a URL', () => {
  const tabs = ['posts', 'followers'] as const;
  it('is the named one', () => {
    expect(tabOf(tabs, new URLSearchParams('tab=followers'))).toBe('followers');
  });
  it('is the first one if none or an unknown one is named', () => {
    for (const query of ['', 'tab=', 'tab=nothing', 'tab=Followers', 'x=followers'])
      expect(tabOf(tabs, new URLSearchParams(query)), query).toBe('posts');
  });
});
