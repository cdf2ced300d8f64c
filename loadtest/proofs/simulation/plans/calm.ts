// No faults: any failure here is due to the core or the client alone.
import type { Plan } from '../plan.ts';

export const calm: Plan = { name: 'calm', weather: {}, everyMs: {} };
