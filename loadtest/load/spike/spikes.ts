// All spikes, by name. A spike is loaded when it is asked for, and the others are not.

import type { MakeSpike } from './spike.ts';

export const SPIKES = {
  'bid-spike': async () => (await import('./bid-spike.ts')).bidSpike,
  'viral-post': async () => (await import('./viral-post.ts')).viralPost,
  rawmix: async () => (await import('./rawmix.ts')).rawmixSpike,
} satisfies Record<string, () => Promise<MakeSpike>>;
export type SpikeName = keyof typeof SPIKES;
