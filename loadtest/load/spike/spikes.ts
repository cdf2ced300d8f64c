// All spikes, by name. Each is loaded on demand.

import type { MakeSpike } from './spike.ts';

export const SPIKES = {
  'bid-spike': async () => (await import('./bid-spike.ts')).bidSpike,
  'viral-post': async () => (await import('./viral-post.ts')).viralPost,
  'popular-post': async () => (await import('./viral-post.ts')).popularPost,
  natives: async () => (await import('./natives.ts')).nativesSpike,
  lists: async () => (await import('./lists.ts')).listsSpike,
  rawmix: async () => (await import('./rawmix.ts')).rawmixSpike,
} satisfies Record<string, () => Promise<MakeSpike>>;
export type SpikeName = keyof typeof SPIKES;

/** Those whose client sends operations together, as app servers do; only such a client is promised results, and sends lists in one piece. */
export const SENT_TOGETHER: ReadonlySet<SpikeName> = new Set(['popular-post', 'lists'] as const);
