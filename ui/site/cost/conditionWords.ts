// The words of pages for conditions that differ from the normal mode.

/** as the server reports them (apps/site/conditions.ts) */
export interface Conditions {
  locks: string;
  phasing: boolean;
  combining: string;
}

const LOCKS: Record<string, string> = { rw: 'reader/writer locks', none: 'no locks' };

/** The differences from the normal mode in a few words: `reader/writer locks, no phasing`; null if there are none. */
export function unusual({ locks, phasing, combining }: Conditions): string | null {
  const words = [
    ...(locks === 'abstract' ? [] : [LOCKS[locks] ?? locks]),
    ...(phasing ? [] : ['no phasing']),
    ...(combining === 'auto' ? [] : [combining === 'off' ? 'no combining' : 'combining always on']),
  ];
  return words.length === 0 ? null : words.join(', ');
}
