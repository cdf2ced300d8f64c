// Mutations: valid histories with one mistake, to test whether the check finds it.

import type { HistoryAttempt } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { isOfThePast } from './as-of.ts';
import { committedOf, type Committed } from './committed.ts';
import { eachConflict, type AccessInOrder } from './conflicts.ts';
import { sameValue } from './model.ts';
import { replay } from './replay.ts';

/** Changes its own copy; false if this history offers no opportunity. */
export type Mutation = (history: HistoryAttempt[], random: Chance) => boolean;

const committedIn = (history: HistoryAttempt[]): Committed[] =>
  history
    .filter((attempt) => attempt.outcome === 'ok' && attempt.ops.length > 0 && !isOfThePast(attempt))
    .map((attempt) => committedOf(attempt, attempt.order!, new Set()))
    .sort((a, b) => (a.at < b.at ? -1 : 1));

const changing = (history: HistoryAttempt[]) => committedIn(history).filter(({ accesses }) => accesses.some(({ changes }) => changes));

interface Conflict {
  earlier: Committed;
  later: Committed;
}

/** Pairs that do not commute, in timestamp order, regardless of real time. */
function conflictsIn(history: HistoryAttempt[]): Conflict[] {
  const committed = committedIn(history);
  const accesses = new Map<string, AccessInOrder[]>();
  replay(committed, (member, access, model) => {
    const untimed = { ...committed[member]!, acknowledgedNs: Infinity };
    accesses.set(access.record, [...(accesses.get(access.record) ?? []), { member, by: untimed, access, before: model.clone() }]);
  });
  const found: Conflict[] = [];
  for (const list of accesses.values()) {
    eachConflict(list, (earlier, later) => void found.push({ earlier: committed[earlier]!, later: committed[later]! }));
  }
  return found;
}

const pastReads = (history: HistoryAttempt[]) => history.filter((attempt) => isOfThePast(attempt) && attempt.outcome === 'ok');

export const mutations: Readonly<Record<string, Mutation>> = {
  'two results swapped'(history, random) {
    const operations = history.filter(({ outcome }) => outcome === 'ok').flatMap(({ ops }) => ops);
    const seen = operations.filter(({ result, type }) => result !== undefined && type !== 'UIdGenerator');
    const first = random.pick(seen);
    const others = seen.filter(({ key, op, result }) => key === first.key && op === first.op && !sameValue(result, first.result));
    if (others.length === 0) return false;
    const second = random.pick(others);
    [first.result, second.result] = [second.result, first.result];
    return true;
  },
  'a commit dropped'(history, random) {
    const { attempt } = random.pick(changing(history));
    attempt.outcome = 'fail';
    delete attempt.order;
    return true;
  },
  'a commit doubled'(history, random) {
    const { attempt, at } = random.pick(changing(history));
    const id = `again${attempt.id}`;
    history.push({ ...structuredClone(attempt), id, transaction: id, order: String(at + 1n) });
    return true;
  },
  'timestamps of two that conflict exchanged'(history, random) {
    const { earlier, later } = random.pick(conflictsIn(history));
    [earlier.attempt.order, later.attempt.order] = [later.attempt.order, earlier.attempt.order];
    return true;
  },
  'one that conflicts begun after the later one was acknowledged'(history, random) {
    const { earlier, later } = random.pick(conflictsIn(history));
    earlier.attempt.call = later.attempt.return + 1;
    earlier.attempt.return = earlier.attempt.call + 1;
    return true;
  },
  'a result of the past that is greater by one'(history, random) {
    const reads = pastReads(history).filter(({ ops: [read] }) => typeof read!.result === 'number');
    if (reads.length === 0) return false;
    const [read] = random.pick(reads).ops;
    read!.result = (read!.result as number) + 1;
    return true;
  },
  'moments of two reads of the past exchanged'(history, random) {
    const reads = pastReads(history);
    if (reads.length === 0) return false;
    const first = random.pick(reads);
    const [seen] = first.ops;
    const others = reads.filter(
      ({ ops: [read] }) => read!.key === seen!.key && read!.op === seen!.op && !sameValue(read!.result, seen!.result),
    );
    if (others.length === 0) return false;
    const second = random.pick(others);
    [first.order, second.order] = [second.order, first.order];
    [first.as_of, second.as_of] = [second.as_of, first.as_of];
    return true;
  },
  'an identifier given again'(history, random) {
    const given = history.filter(({ outcome }) => outcome === 'ok').flatMap(({ ops }) => ops.filter(({ op }) => op === 'next'));
    const first = random.pick(given);
    const others = given.filter(({ key, result }) => key === first?.key && result !== first.result);
    if (others.length === 0) return false;
    random.pick(others).result = first.result;
    return true;
  },
};
