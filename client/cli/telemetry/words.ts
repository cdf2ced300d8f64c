// The end of an operation and of an attempt, in words. The words say no more than the shard knows:
//
// - holders are operations of other transactions that held the record at that moment (`beside`);
// - the blocker is the first obstacle that was found: it held the record or waited ahead, and there may be others;
// - if an abort was not sampled from its beginning (`traced` is false), only its end is known.

import { counted, duration, shown } from '../format.ts';
import type { FollowedOperation, FollowedPart } from './followed.ts';

const labelWords = (label: string): string => (label === '' ? 'a transaction without a label' : shown(label));

export function verdictWords(
  operation: FollowedOperation,
  { traced, code }: Pick<FollowedPart, 'traced' | 'code'>,
  ownLabel: string,
): string {
  const { verdict, beside, waitedMs, blockingLabel, blockingOperation } = operation;
  const whose = blockingLabel === ownLabel ? `another ${labelWords(ownLabel)}` : labelWords(blockingLabel);
  // The type is left out, since both operations are on the same record.
  const blocker = blockingOperation === null ? '' : `${blockingOperation.slice(blockingOperation.indexOf('.') + 1)} of ${whose}`;
  const behind = blocker === '' ? '' : `, ${traced ? 'first' : 'last'} behind ${blocker}`;
  switch (verdict) {
    case 'granted':
      if (!traced) return 'granted';
      return beside === 0 ? 'granted, no other holder' : `granted beside ${counted(beside, 'holder')}`;
    case 'waited':
      return `waited ${waitedMs === 0 ? 'within one turn of the shard' : duration(waitedMs)}${behind}`;
    case 'waiting':
      return `not granted${waitedMs === 0 ? '' : ` after ${duration(waitedMs)}`}${behind}`;
    case 'denied':
      return `denied${behind}`;
    case 'refused':
      return `cannot be done${code === '' ? '' : `: ${codeWords(code)}`}`;
    case 'ahead': {
      const on = beside === 0 ? '' : `, on top of ${counted(beside, 'undecided operation')}`;
      return `executed ahead of the commit${on}${waitedMs === 0 ? '' : `, after ${duration(waitedMs)} of waiting for its turn`}`;
    }
    case 'untried':
      return 'not reached';
  }
}

/** Codes and causes that end attempts, in words. Others are shown with spaces for underscores. */
const CODES: Record<string, string> = {
  wounded: 'an older transaction waited for it',
  deadlock: 'the youngest transaction of a cycle of waits is aborted',
  denied: 'a lock was taken, and it could not wait',
  withdrawn: 'its body made other operations on the true results than in the forecast',
  chain_broken: 'its chain was undone',
  condition_changed: 'the conditions were switched',
  session_lost: 'its session was lost',
  expired: 'its time was over',
  aborted_by_client: 'its client gave it up',
  below_bound: 'the counter does not hold as much',
  out_of_range: 'beyond what the record can hold',
  wrong_type: 'the record is of another type',
  lock_wait: 'its time ended while it waited for a lock',
  timeout: 'its time ended',
  idle: 'others waited for it, and it said nothing',
};

const codeWords = (code: string): string => CODES[code] ?? code.replaceAll('_', ' ');

/** `committed`, or `aborted: an older transaction waited for it`. */
export function outcomeWords({ outcome, code, cause }: Pick<FollowedPart, 'outcome' | 'code' | 'cause'>): string {
  if (outcome === 'committed') return 'committed';
  const reason = CODES[cause] ?? (code === '' ? '' : codeWords(code));
  return reason === '' ? 'aborted' : `aborted: ${reason}`;
}
