// The conditions that the paper compares (the paper, section 6), named as in its figures' data.

import type { RetryPolicy } from '@claret/client';
import type { Conditions } from '@claret/client/telemetry';

export interface Condition extends Conditions {
  name: string;
  /** there are no transactions: each operation of a body is a native (sent-as-natives.ts) */
  asNatives?: boolean;
  /** operations that answer nothing are kept until the end; undefined: as the client does under these locks */
  deferral?: boolean;
  /** instead of the best one known */
  retryPolicy?: Partial<RetryPolicy>;
  /** all that can be forecast goes in chains, on hot records or not */
  chained?: true;
}

export const CONDITIONS: readonly Condition[] = [
  { name: 'rw', locks: 'rw', phasing: false, combining: 'off' },
  { name: 'rw+phasing', locks: 'rw', phasing: true, combining: 'off' },
  { name: 'abstract', locks: 'abstract', phasing: false, combining: 'off' },
  { name: 'abstract+phasing', locks: 'abstract', phasing: true, combining: 'off' },
  { name: 'rw+combining+phasing', locks: 'rw', phasing: true, combining: 'auto' },
  { name: 'abstract+combining+phasing', locks: 'abstract', phasing: true, combining: 'auto' },
  { name: 'none', asNatives: true, locks: 'abstract', phasing: true, combining: 'off' },
  { name: 'none+deferral', asNatives: true, locks: 'abstract', phasing: true, combining: 'off', deferral: true },
  {
    // Exponential backoff in milliseconds, as it is often done: it makes a baseline much slower than it need be.
    name: 'rw-backoff',
    locks: 'rw',
    phasing: false,
    combining: 'off',
    retryPolicy: { denialFirstUs: 1_000, denialLongestUs: 100_000, attemptFirstUs: 1_000, attemptLongestUs: 100_000 },
  },
];

/** The fixed way beside which the choice of the best one is measured (bench/ways.ts). */
export const CHAINED: Condition = { name: 'abstract+chains+phasing', locks: 'abstract', phasing: true, combining: 'auto', chained: true };

/** The best of them with promised results, which that paper lacks. */
export const WARRANTED: Condition = {
  name: 'abstract+combining+phasing+warranties',
  locks: 'abstract',
  phasing: true,
  combining: 'auto',
  warranties: 'auto',
};

export const ALL_CONDITIONS: readonly Condition[] = [...CONDITIONS, CHAINED, WARRANTED];

export function conditionNamed(name: string): Condition {
  const condition = ALL_CONDITIONS.find((one) => one.name === name);
  if (condition === undefined) throw new Error(`no condition ${name}; there are ${ALL_CONDITIONS.map((one) => one.name).join(', ')}`);
  return condition;
}
