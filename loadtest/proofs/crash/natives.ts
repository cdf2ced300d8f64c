// Natives, as the drivers report them: each batch before it is sent, and when all of it has ended. A native whose answer was lost may
// have been executed or not, so a record has an exact range: everything acknowledged is stored, and nothing but what was acknowledged or
// lost its answer. An identifier is given once. A value that was answered is never taken back. What Redis clients change through the doors is
// reported in the same way.

import type { Claret, Description } from '@claret/client';
import { ClaretError } from '@claret/client';
import { readAtRest } from './at-rest.ts';
import { mapAtOnce } from '../../kit/at-once.ts';

export type NativeCall =
  /** `n` is positive: a counter never falls */
  | { op: 'add'; key: string; n: number }
  | { op: 'value'; key: string }
  /** of a register that holds an integer, by 1; answers the integer, which nobody else is given */
  | { op: 'increment'; key: string }
  /** a member that is inserted once */
  | { op: 'insert'; key: string; member: string }
  | { op: 'draw'; key: string };

/** `none`: it was refused, and has no effect. `unknown`: its answer was lost. */
export type NativeEnd = { outcome: 'done'; result?: string } | { outcome: 'none' } | { outcome: 'unknown' };

export interface NativesTold {
  batch: string;
  calls: readonly NativeCall[];
  /** one for each call; absent: the batch is about to be sent */
  ends?: readonly NativeEnd[];
}

/** Performs a batch in one turn, and tells how each of it ended. Rejects with an error that is not Claret's. */
export async function performBatch(claret: Claret, calls: readonly NativeCall[]): Promise<NativeEnd[]> {
  const outcomes = await claret.native.run(calls.map((call) => descriptionOf(claret, call)));
  return outcomes.map((outcome): NativeEnd => {
    if (outcome.status === 'fulfilled') return { outcome: 'done', ...(outcome.value !== undefined && { result: String(outcome.value) }) };
    if (!(outcome.reason instanceof ClaretError)) throw outcome.reason;
    return { outcome: outcome.reason.commitState === 'unknown' ? 'unknown' : 'none' };
  });
}

function descriptionOf({ on }: Claret, call: NativeCall): Description<unknown> {
  if (call.op === 'add') return on.counter(call.key).add(call.n);
  if (call.op === 'value') return on.counter(call.key).value();
  if (call.op === 'increment') return on.register(call.key).incrementAndGet(1);
  if (call.op === 'insert') return on.set(call.key).add(call.member);
  return on.uidGenerator(call.key).next();
}

interface CounterTally {
  /** the sum of the adds that were acknowledged */
  acknowledged: number;
  /** the sum of those that may have been executed */
  possible: number;
  /** the greatest value that was answered or found */
  seen: number;
}

/** What is known to be stored: least values of counters, and members of sets, by key. */
export interface NativesStored {
  counters: ReadonlyMap<string, number>;
  sets: ReadonlyMap<string, ReadonlySet<string>>;
}

const PAGE = 1_000;

export class NativeLedger {
  /** changes that were acknowledged; those of them that were compared with the store; changes without an answer */
  acknowledged = 0;
  checked = 0;
  readonly #counters = new Map<string, CounterTally>();
  /** the keys of counters that are registers */
  readonly #registers = new Set<string>();
  /** member → whether it must be stored (true) or may be (false) */
  readonly #sets = new Map<string, Map<string, boolean>>();
  /** identifier → batch */
  readonly #drawn = new Map<string, string>();
  /** the least values of counters when a batch was about to be sent */
  readonly #begun = new Map<string, ReadonlyMap<string, number>>();
  /** changes in batches that have not ended */
  #lostOpen = 0;
  #lost = 0;
  #wrong: string[] = [];

  /** Changes without an answer. */
  get unknown(): number {
    return this.#lost + this.#lostOpen;
  }

  take({ batch, calls, ends }: NativesTold): void {
    if (ends === undefined) {
      this.#begun.set(batch, this.#leastValues());
      for (const call of calls) this.#begin(call);
      return;
    }
    calls.forEach((call, i) => this.#end(batch, call, ends[i]!));
    this.#begun.delete(batch);
  }

  #begin(call: NativeCall): void {
    if (call.op === 'increment') this.#registers.add(call.key);
    if (call.op === 'add' || call.op === 'increment') this.#counter(call.key).possible += amountOf(call);
    if (call.op === 'insert') this.#set(call.key).set(call.member, false);
    if (isChange(call)) this.#lostOpen++;
  }

  #end(batch: string, call: NativeCall, end: NativeEnd): void {
    if (isChange(call)) {
      this.#lostOpen--;
      if (end.outcome === 'done') this.acknowledged++;
      if (end.outcome === 'unknown') this.#lost++;
    }
    if (call.op === 'add' || call.op === 'increment') {
      const counter = this.#counter(call.key);
      if (end.outcome === 'done') counter.acknowledged += amountOf(call);
      if (end.outcome === 'none') counter.possible -= amountOf(call);
      if (call.op === 'increment' && end.outcome === 'done') this.#given(batch, call.key, Number(end.result));
    } else if (call.op === 'insert') {
      if (end.outcome === 'done') this.#set(call.key).set(call.member, true);
      if (end.outcome === 'none') this.#set(call.key).delete(call.member);
    } else if (end.outcome === 'done') {
      if (call.op === 'value') this.#see(call.key, Number(end.result), this.#begun.get(batch)?.get(call.key) ?? 0, `answered in ${batch}`);
      else this.#draw(call.key, end.result!, batch);
    }
  }

  #given(batch: string, key: string, value: number): void {
    this.#draw(key, String(value), batch);
    this.#see(key, value, (this.#begun.get(batch)?.get(key) ?? 0) + 1, `answered in ${batch}`);
  }

  #draw(key: string, identifier: string, batch: string): void {
    const name = `${key} ${identifier}`;
    const before = this.#drawn.get(name);
    if (before !== undefined) this.#wrong.push(`native: ${key} gave ${identifier} twice, in ${before} and in ${batch}`);
    this.#drawn.set(name, batch);
  }

  /** A value of a counter, and the least that it can have been. */
  #see(key: string, value: number, least: number, where: string): void {
    const counter = this.#counter(key);
    if (value < least) this.#wrong.push(`native: ${key} held ${least} at least, and ${value} was ${where}`);
    if (value > counter.possible) {
      this.#wrong.push(`native: ${value} was ${where} of ${key}, and all adds that may have been executed make ${counter.possible}`);
    }
    counter.seen = Math.max(counter.seen, value);
  }

  /** What must be stored by now, for a state of a later time. */
  stored(): NativesStored {
    const mustHave = (members: ReadonlyMap<string, boolean>) => new Set([...members].filter(([, must]) => must).map(([member]) => member));
    return {
      counters: this.#leastValues(),
      sets: new Map([...this.#sets].map(([key, members]) => [key, mustHave(members)])),
    };
  }

  /** Compares all records with the reports. REQUIRES: no native is in flight. Returns violations, one line each. */
  async mismatches(claret: Claret): Promise<string[]> {
    const stored = this.stored();
    const found = await this.#compare(claret, stored, (key, value) => this.#see(key, value, stored.counters.get(key) ?? 0, 'found'));
    this.checked = this.acknowledged;
    return [...this.#wrong.splice(0), ...found];
  }

  /** Compares an earlier state, in which this was stored, and in which anything that was begun since may be. */
  async mismatchesOf(claret: Claret, stored: NativesStored): Promise<string[]> {
    const wrong: string[] = [];
    const found = await this.#compare(claret, stored, (key, value) => {
      const [least, most] = [stored.counters.get(key) ?? 0, this.#counter(key).possible];
      if (value < least || value > most) wrong.push(`native: ${key} holds ${value}, and must hold ${least} to ${most}`);
    });
    return [...wrong, ...found];
  }

  async #compare(claret: Claret, { sets }: NativesStored, judge: (key: string, value: number) => void): Promise<string[]> {
    const counters = [...this.#counters.keys()];
    await mapAtOnce(counters.length, async (i) => {
      const key = counters[i]!;
      const read = this.#registers.has(key) ? claret.on.register(key).get() : claret.on.counter(key).value();
      const [value] = await readAtRest(claret, 'Tally', [read]);
      judge(key, Number(value));
    });
    const keys = [...this.#sets.keys()];
    const found = await mapAtOnce(keys.length, async (i) => {
      const key = keys[i]!;
      return this.#inSet(key, await membersOf(claret, key), sets.get(key) ?? new Set());
    });
    return found.flat();
  }

  #inSet(key: string, stored: ReadonlySet<string>, expected: ReadonlySet<string>): string[] {
    const known = this.#set(key);
    const lost = [...expected].filter((member) => !stored.has(member));
    const strange = [...stored].filter((member) => !known.has(member));
    // What was found once must stay.
    for (const member of stored) if (known.has(member)) known.set(member, true);
    return [
      ...lost.map((member) => `native: lost: ${member} was added to ${key}, and is not there`),
      ...strange.map((member) => `native: ${member} is in ${key}, and its native has failed, or was never sent`),
    ];
  }

  #leastValues(): Map<string, number> {
    return new Map([...this.#counters].map(([key, { acknowledged, seen }]) => [key, Math.max(acknowledged, seen)]));
  }

  #counter(key: string): CounterTally {
    let counter = this.#counters.get(key);
    if (counter === undefined) this.#counters.set(key, (counter = { acknowledged: 0, possible: 0, seen: 0 }));
    return counter;
  }

  #set(key: string): Map<string, boolean> {
    let members = this.#sets.get(key);
    if (members === undefined) this.#sets.set(key, (members = new Map()));
    return members;
  }
}

const isChange = ({ op }: NativeCall): boolean => op === 'add' || op === 'increment' || op === 'insert';
const amountOf = (call: NativeCall): number => (call.op === 'add' ? call.n : 1);

async function membersOf(claret: Claret, key: string): Promise<Set<string>> {
  const members = new Set<string>();
  for (let after: string | null = null; ;) {
    const [page]: [string[]] = await readAtRest(claret, 'Tally', [claret.on.set(key).members(PAGE, after)]);
    for (const member of page) members.add(member);
    if (page.length < PAGE) return members;
    after = page.at(-1)!;
  }
}
