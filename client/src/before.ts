// The time that a transaction has spent before an attempt begins, as its home shard is told.

import type { AttemptOwner } from './attempt-owner.ts';
import { TIME_US_TOLD, type Before } from './wire/client-frame.ts';

/** what the wire holds */
const TIME_US_MAX = 2 ** 32 - 1;

export const microseconds = (ms: number): number => Math.min(Math.round(ms * 1000), TIME_US_MAX);

/** Null where it is not worth a word, as of nearly all that run at once. */
export function before({ thrownAwayMs, backingOffMs, queuedMs }: AttemptOwner): Before | null {
  if (thrownAwayMs + backingOffMs + queuedMs < TIME_US_TOLD / 1000) return null;
  return { thrownAwayUs: microseconds(thrownAwayMs), backingOffUs: microseconds(backingOffMs), queuedUs: microseconds(queuedMs) };
}
