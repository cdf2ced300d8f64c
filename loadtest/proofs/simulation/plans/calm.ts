// Nothing goes wrong: what fails here fails without any help.
import type { Plan } from '../plan.ts';

export const calm: Plan = { name: 'calm', weather: {}, everyMs: {} };
