// No faults: a failure here needs no help.
import type { Plan } from '../plan.ts';

export const calm: Plan = { name: 'calm', weather: {}, everyMs: {} };
