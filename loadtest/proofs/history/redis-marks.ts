// Redis marks: finds what Redis clients changed in the shards' logs.
//
//   lost      acknowledged, but in no log
//   divided   what was one step is not one in the logs: its operations have several timestamps, or some of them are missing
import type { HistoryAttempt, HistoryOperation, HistoryValue } from '@claret/client';
import { isOfRedis, type RedisAttempt } from './redis.ts';
import { callText, type Violation } from './violation.ts';

/** Integers from here on are used once in a run, and so are texts that end with one. */
export const MARK_MIN = 1_000_000;
const MARKED_TEXT = /^mark-\d+$/;

export const markedText = (mark: number): string => `mark-${mark}`;

/** What is in the logs. */
export interface Logged {
  readonly id: string;
  /** null: it has not committed */
  readonly at: bigint | null;
  readonly ops: HistoryOperation[];
}

/** Results that are not known leave none. */
export function marksIn(ops: readonly HistoryOperation[]): string[] {
  return ops.flatMap(({ key, op, args, result }) => {
    // Where nothing is taken out, there may be nothing in the logs.
    if (op === 'erase' && (result ?? 0) === 0) return [];
    const own = args.flatMap(marksOf);
    // A popped element is known by its push, and the counter's value by nobody else.
    if (op === 'popFront' || op === 'popBack') own.push(...marksOf(result ?? null).map((mark) => `popped ${mark}`));
    if (op === 'incrementAndGet' && args[0] === 1 && result !== undefined) own.push(`${key} ${JSON.stringify(result)}`);
    return own;
  });
}

function marksOf(value: HistoryValue): string[] {
  if (Array.isArray(value)) return value.flatMap(marksOf);
  if (typeof value === 'number') return value >= MARK_MIN ? [String(value)] : [];
  return typeof value === 'string' && MARKED_TEXT.test(value) ? [value] : [];
}

/** Those of Redis clients that are in the logs get the ids and timestamps that they have there. */
export function findInLogs(
  attempts: readonly HistoryAttempt[],
  logged: Iterable<Logged>,
): { attempts: HistoryAttempt[]; violations: Violation[] } {
  if (!attempts.some(isOfRedis)) return { attempts: [...attempts], violations: [] };
  const byMark = new Map<string, Set<Logged>>();
  for (const one of logged) {
    if (one.at === null) continue;
    for (const mark of marksIn(one.ops)) byMark.set(mark, (byMark.get(mark) ?? new Set()).add(one));
  }
  const violations: Violation[] = [];
  const found = attempts.flatMap((attempt) => (isOfRedis(attempt) ? find(attempt, byMark, violations) : [attempt]));
  return { attempts: found, violations };
}

function find(attempt: RedisAttempt, byMark: ReadonlyMap<string, ReadonlySet<Logged>>, violations: Violation[]): HistoryAttempt[] {
  const { marks, outcome, process, call, ops } = attempt;
  const isObserver = marks.length === 0 && outcome === 'ok';
  if (isObserver) return [attempt];
  const found = marks.map((mark) => [...(byMark.get(mark) ?? [])]);
  const places = new Set(found.flat());
  const blame = (rule: Violation['rule'], what: string) => {
    const told = `Redis commands of ${process}, sent at ${call} ns (${outcome}): ${ops.map(callText).join('; ')}`;
    violations.push({ rule, text: `${told}: ${what}`, attempts: [attempt.id] });
    return [];
  };
  const [place] = places;
  if (place === undefined) return outcome === 'ok' ? blame('lost', 'acknowledged, but not in the logs') : [attempt];
  if (places.size > 1 || found.some(({ length }) => length === 0)) {
    const parts = [...places].map(({ at, ops: logged }) => `    @${at} ${logged.map(callText).join('; ')}`);
    return blame('divided', `not one step in the logs, which have\n${parts.join('\n')}`);
  }
  const { id, at } = place;
  const known = { ...attempt, id, transaction: id };
  if (outcome === 'ok') return [{ ...known, order: String(at) }];
  return [outcome === 'unknown' ? { ...known, ops: place.ops } : known];
}
