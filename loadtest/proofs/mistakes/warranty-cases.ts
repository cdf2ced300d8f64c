// Where the simulation finds mistakes about warranties: a plan and a workload in which each shows, and the greatest number of seeds needed.
//
// It does not find those of the client that are missing here, which the client's own tests find (client-mistakes.long.test.ts), nor two of the core:
// not-after-ignored (a vote has to arrive after the end of a lease, a change of what it rested on has to be acknowledged before, and another one at
// its own shard has to come in between) and grant-past-waiters (it only delays changes). The core's own tests find both.
import type { Mutation } from '../mutants.ts';
import type { SeedsCase } from './seeds-until-found.ts';

export const CLIENT_CASES: readonly SeedsCase[] = [
  { mistake: 'digest-not-sent', plan: 'calm', workload: 'elsewhere', seedsMax: 10 },
  { mistake: 'fallen-not-validated', plan: 'calm', workload: 'elsewhere', seedsMax: 40 },
  { mistake: 'vote-below-warranty', plan: 'leases', workload: 'elsewhere', seedsMax: 20 },
  { mistake: 'returned-while-pinned', plan: 'leases', workload: 'elsewhere', seedsMax: 20 },
  { mistake: 'timestamp-above-until', plan: 'clocks', workload: 'elsewhere', seedsMax: 30 },
  { mistake: 'lease-from-arrival', plan: 'leases', workload: 'promised', seedsMax: 30 },
  { mistake: 'grant-in-next-session', plan: 'leases', workload: 'promised', seedsMax: 20 },
  { mistake: 'civil-clock-ignored', plan: 'leases', workload: 'promised', seedsMax: 40 },
  { mistake: 'grant-of-ended-attempt-kept', plan: 'leases', workload: 'elsewhere', seedsMax: 30 },
  { mistake: 'commit-is-no-use', plan: 'leases', workload: 'elsewhere', seedsMax: 20 },
  { mistake: 'mixtures-allowed', plan: 'leases', workload: 'pairs', seedsMax: 10 },
  { mistake: 'early-recall-forgotten', plan: 'disks', workload: 'promised', seedsMax: 20 },
  { mistake: 'error-of-ended-attempt-passed-on', plan: 'crashes', workload: 'pairs', seedsMax: 60 },
  { mistake: 'node-not-marked', plan: 'calm', workload: 'tree', seedsMax: 10 },
  { mistake: 'nodes-above-not-marked', plan: 'calm', workload: 'tree', seedsMax: 10 },
  { mistake: 'value-not-proved', plan: 'calm', workload: 'tree', seedsMax: 10 },
  { mistake: 'changed-leaf-ignored', plan: 'calm', workload: 'tree', seedsMax: 10 },
  { mistake: 'lease-ignored-above', plan: 'leases', workload: 'tree', seedsMax: 20 },
];

/** Those that are found quickest are in ../simulation/mutations.long.test.ts. */
export const CORE_CASES: readonly { mutation: Mutation; plan: string; workload: string; seedsMax: number }[] = [
  { mutation: 'grant-on-own-change', plan: 'calm', workload: 'promised', seedsMax: 20 },
  { mutation: 'end-at-recall', plan: 'calm', workload: 'promised', seedsMax: 30 },
  { mutation: 'lapse-early', plan: 'leases', workload: 'promised', seedsMax: 30 },
  { mutation: 'no-quarantine', plan: 'crashes', workload: 'promised', seedsMax: 30 },
  { mutation: 'firm-forgotten', plan: 'calm', workload: 'lent', seedsMax: 10 },
  { mutation: 'end-leaves-clock', plan: 'leases', workload: 'promised', seedsMax: 30 },
];
