// The time that a transaction has spent before an attempt begins, as reported to its home shard.

import { TIME_US_TOLD, type Before } from '../wire/client-frame.ts';
import type { AttemptOwner } from './attempt-owner.ts';

/** The wire has 32 bits for a time. */
const TIME_US_MAX = 2 ** 32 - 1;

export const microseconds = (ms: number): number => Math.min(Math.round(ms * 1000), TIME_US_MAX);

/** Null if the times are negligible, as for nearly all transactions that run at once. */
export function timeBefore({ thrownAwayMs, backingOffMs, queuedMs }: AttemptOwner): Before | null {
  if (thrownAwayMs + backingOffMs + queuedMs < TIME_US_TOLD / 1000) return null;
  return { thrownAwayUs: microseconds(thrownAwayMs), backingOffUs: microseconds(backingOffMs), queuedUs: microseconds(queuedMs) };
}
