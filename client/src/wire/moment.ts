// Moments: timestamps of commits, and the wall clock's times. A timestamp is a number of ticks since 1970, and below that a shard's number.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Wide } from './wide.ts';

const TICKS_PER_MS = 4_000n;
const SHARD_BITS = 8n;
const TIMESTAMP_MAX = 2n ** 64n - 1n;

/** The wall clock's time of a commit, in ms since 1970. */
export const wallMsOf = (timestamp: bigint): number => Number((timestamp >> SHARD_BITS) / TICKS_PER_MS);

/** The timestamp before which all commits of earlier milliseconds are, and none of that one. Throws `out_of_range`. */
export function timestampOf(moment: Date | bigint): Wide {
  const at = typeof moment === 'bigint' ? moment : ticksOf(moment) << SHARD_BITS;
  if (at <= 0n || at > TIMESTAMP_MAX) throw notAMoment();
  return { high: Number(at >> 32n), low: Number(at & 0xffff_ffffn) };
}

function ticksOf(date: Date): bigint {
  const ms = date instanceof Date ? date.getTime() : NaN;
  if (!Number.isFinite(ms) || ms <= 0) throw notAMoment();
  return BigInt(Math.floor(ms)) * TICKS_PER_MS;
}

const notAMoment = (): ClaretError =>
  new ClaretError({ code: codes.outOfRange, message: 'A moment is a Date after 1970 or the timestamp of a commit' });
