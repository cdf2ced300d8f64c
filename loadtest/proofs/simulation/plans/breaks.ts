// Streams break all the time, while what was sent on them arrives late, and app servers come and go: most attempts are settled
// by questions.
import type { Plan } from '../plan.ts';

export const breaks: Plan = {
  name: 'breaks',
  weather: { delayMs: [0.05, 2], spike: 0.01, spikeMs: 100, duplication: 0.01 },
  everyMs: { breakStream: 60, killClient: 400, stallClient: 500 },
};
