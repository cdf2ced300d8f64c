// The outcome of an operation, and of an attempt, in words. Each sentence says what the core knows and no more:
//
// - "holders" are operations of other transactions that held the record at that moment (`beside`).
// - The named blocker is the first one found: it held the record or was ahead in the queue, and there may have been others.
// - For an abort that was not sampled from its beginning (`traced` is false) only the end is known: neither with whom an operation
// was granted, nor whether it had waited before.
import type { OperationSlice, Sample } from '@claret/client/telemetry';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { formatCounted } from '@claret/ui/kit';
import { msWords } from '../../components/figures.ts';
import { reasonWords } from '../../components/reasons.ts';

type Told = Pick<Sample, 'traced' | 'label' | 'code'>;

/** `Set.add` → `add`; for use beside the type's name. */
export const shortOperation = (operation: string) => operation.slice(operation.lastIndexOf('.') + 1);

/** `size of ViewAuction`; empty if no blocker is named. */
function blocker({ blockingLabel, blockingOperation }: OperationSlice, { label }: Told): string {
  if (blockingOperation === null) return '';
  const whose = blockingLabel === label ? `another ${labelWords(label)}` : labelWords(blockingLabel);
  return `${shortOperation(blockingOperation)} of ${whose}`;
}

/** The rest of a sentence that begins with the operation: `add` … `commutes with 17 holders`. */
export function verdictWords(slice: OperationSlice, told: Told): string {
  const who = blocker(slice, told);
  const first = told.traced ? 'first behind' : 'last behind';
  const behind = who === '' ? '' : `, ${first} ${who}`;
  switch (slice.verdict) {
    case 'granted':
      if (!told.traced) return 'was granted';
      if (slice.beside === 0) return 'met no other transaction';
      return `commutes with ${slice.beside === 1 ? '1 holder' : `${formatCountPlain(slice.beside)} holders`}`;
    case 'waited':
      if (slice.waitedMs === 0) return `waited within one turn of the shard${behind}`;
      return `waited ${msWords(slice.waitedMs)}${behind}`;
    case 'waiting':
      if (slice.waitedMs === 0) return `was not granted${who === '' ? '' : `: ${who} was in the way`}`;
      return `waited ${msWords(slice.waitedMs)}, until the attempt ended${behind}`;
    case 'denied':
      return `was refused${who === '' ? '' : `: ${who} was in the way`}`;
    case 'refused':
      return `failed${told.code === '' ? '' : `: ${codeWords(told.code)}`}`;
    case 'ahead':
      return aheadWords(slice);
    case 'untried':
      return 'not reached: its request stopped earlier';
  }
}

function aheadWords({ beside, waitedMs }: OperationSlice): string {
  const on = beside === 0 ? '' : `, on top of ${formatCountPlain(beside)} undecided ${beside === 1 ? 'operation' : 'operations'}`;
  const turn = waitedMs === 0 ? '' : `, after waiting ${msWords(waitedMs)} for its turn`;
  return `executed ahead of the commit${on}${turn}`;
}

function formatCountPlain(count: number): string {
  return new Intl.NumberFormat().format(count);
}

/** Words for aborts by a rule of the lock manager or by a failure; other codes are shown as they are. */
const CODES: Record<string, string> = {
  wounded: 'gave way to an older transaction that waited for it',
  deadlock: 'youngest in a cycle of waits',
  denied: 'lock taken, and it could not wait',
  withdrawn: 'its body made other operations on the true results than in the forecast',
  chain_broken: 'its chain was undone',
  condition_changed: 'the conditions were switched',
  session_lost: 'its session was lost',
  expired: 'timed out',
  overloaded: 'the shard was overloaded',
  aborted_by_client: 'given up by the client',
  below_bound: 'the counter would fall below its bound',
  out_of_range: 'outside the range of the record',
  wrong_type: 'the record has another type',
  not_an_integer: 'the field is not an integer',
  unknown_attempt: 'some of its messages were lost',
};
const CAUSES: Record<string, string> = {
  lock_wait: 'timed out waiting for a lock',
  timeout: 'timed out, but not waiting for a lock',
  idle: 'idle while others waited for it',
};

export function codeWords(code: string): string {
  return CODES[code] ?? code.replaceAll('_', ' ');
}

type Ended = Pick<Sample, 'outcome' | 'code' | 'cause' | 'warranted' | 'batchMembers' | 'stoodBack'>;

/** `, in a batch of 14 that stood back: its session was lost`; empty if it voted in none. */
function batchWords(members: number, stoodBack: string): string {
  if (members === 0) return '';
  return `, in a batch of ${formatCountPlain(members)}${stoodBack === '' ? '' : ` that stood back: ${reasonWords(stoodBack)}`}`;
}

/** `, 3 readings from memory`; empty if there were none. */
function memoryWords(warranted: number): string {
  return warranted === 0 ? '' : `, ${formatCounted(warranted, 'reading', 'readings')} from memory`;
}

/** `committed, 3 readings from memory`, or `aborted: timed out waiting for a lock`. */
export function outcomeWords({ outcome, code, cause, warranted, batchMembers, stoodBack }: Ended): string {
  if (outcome === 'committed') return `committed${memoryWords(warranted)}${batchWords(batchMembers, stoodBack)}`;
  const why = code === 'chain_broken' && cause !== '' ? `${codeWords(code)}: ${reasonWords(cause)}` : null;
  const words = why ?? CAUSES[cause] ?? (code === '' ? '' : codeWords(code));
  return `${words === '' ? 'aborted' : `aborted: ${words}`}${batchWords(batchMembers, stoodBack)}`;
}

/**
 * Why the client retried, as far as these attempts tell: the reason of the first shard that ended the attempt by itself; otherwise
 * that the client gave it up, and whether it had been denied.
 */
export function retryWords(attempts: readonly Sample[]): string {
  const own = attempts.find(({ outcome, code }) => outcome === 'aborted' && code !== 'aborted_by_client');
  if (own !== undefined) return outcomeWords(own).replace(/^aborted: /, '');
  const wasDenied = attempts.some(({ requests }) =>
    requests.some(({ operations }) => operations.some(({ verdict }) => verdict === 'denied')),
  );
  return wasDenied ? 'refused a lock' : 'begun anew by the client';
}
