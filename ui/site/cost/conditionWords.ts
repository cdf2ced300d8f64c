// What pages say when the cluster settles conflicts in another way than usual.

/** As the server tells them (apps/site/conditions.ts). */
export interface Conditions {
  locks: string;
  phasing: boolean;
  combining: string;
}

const LOCKS: Record<string, string> = { rw: 'reader/writer locks', none: 'no locks' };

/** What is not as usual, in a few words: `reader/writer locks, no phasing`; null when all is. */
export function unusual({ locks, phasing, combining }: Conditions): string | null {
  const words = [
    ...(locks === 'abstract' ? [] : [LOCKS[locks] ?? locks]),
    ...(phasing ? [] : ['no phasing']),
    ...(combining === 'auto' ? [] : [combining === 'off' ? 'no combining' : 'combining always on']),
  ];
  return words.length === 0 ? null : words.join(', ');
}
