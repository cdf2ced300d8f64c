// Where the simulation finds each mistake of the gateway: a plan and a workload in which it shows, and the greatest number of seeds needed.
import type { SeedsCase } from './seeds-until-found.ts';

/** Those that take the least time; part of each test run. */
export const QUICK_CASES: readonly SeedsCase[] = [
  { mistake: 'appended-anywhere', plan: 'takeover', workload: 'transfers', seedsMax: 10 },
  { mistake: 'types-not-told', plan: 'calm', workload: 'own-types', seedsMax: 5 },
  { mistake: 'answers-overtake', plan: 'calm', workload: 'resp', seedsMax: 5 },
];

export const OTHER_CASES: readonly SeedsCase[] = [
  { mistake: 'start-not-awaited', plan: 'takeover', workload: 'mixed', seedsMax: 20 },
  { mistake: 'answers-after-lease', plan: 'takeover', workload: 'mixed', seedsMax: 20 },
  { mistake: 'given-and-forgotten', plan: 'moves', workload: 'mixed', seedsMax: 10 },
  { mistake: 'exec-in-pieces', plan: 'calm', workload: 'resp', seedsMax: 5 },
  { mistake: 'exec-keeps-results', plan: 'calm', workload: 'resp', seedsMax: 5 },
  { mistake: 'late-messages-count', plan: 'takeover', workload: 'transfers', seedsMax: 40 },
  { mistake: 'served-without-the-rest', plan: 'takeover', workload: 'transfers', seedsMax: 60 },
  { mistake: 'took-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 40 },
  { mistake: 'gave-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 60 },
  { mistake: 'pieces-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 10 },
  { mistake: 'types-not-awaited', plan: 'breaks', workload: 'own-types', seedsMax: 20 },
  { mistake: 'lease-from-answer', plan: 'takeover', workload: 'mixed', seedsMax: 60 },
  { mistake: 'unknown-exec-is-refused', plan: 'doubts', workload: 'resp', seedsMax: 60 },
];
