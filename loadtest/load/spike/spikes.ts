// All spikes, by name. Each is loaded on demand.

import type { MakeSpike } from './spike.ts';

export const SPIKES = {
  'bid-spike': async () => (await import('./bid-spike.ts')).bidSpike,
  'viral-post': async () => (await import('./viral-post.ts')).viralPost,
  natives: async () => (await import('./natives.ts')).nativesSpike,
  rawmix: async () => (await import('./rawmix.ts')).rawmixSpike,
} satisfies Record<string, () => Promise<MakeSpike>>;
export type SpikeName = keyof typeof SPIKES;
