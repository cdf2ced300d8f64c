// Watcher: an app server that only watches. No state that it receives may be undone, in particular by a crash: each state has only
// committed changes and includes all those of earlier states of the record, and the last state is the record's last.
import type { Change, Claret, Description, HistoryAttempt } from '@claret/client';
import type { AppServer } from './app-server.ts';
import type { Violation } from '../workloads/violation.ts';

interface Told {
  key: string;
  /** of a set, or the one of a register */
  marks: readonly string[];
  timestamp: bigint;
  atMs: number;
}

const RULE = 'watch';

export class Watcher {
  /** since the last judgement */
  #told: Told[] = [];
  readonly violations: Violation[] = [];
  readonly #appServer: AppServer;
  readonly #nowMs: () => number;
  readonly #newest = new Map<string, Told>();
  /** commit timestamps by key and mark: of this part and the previous one, and of marks still present */
  #madeAt = [new Map<string, bigint>(), new Map<string, bigint>()];
  #claret: Claret | null = null;

  constructor(appServer: AppServer, nowMs: () => number) {
    this.#appServer = appServer;
    this.#nowMs = nowMs;
  }

  async open(reads: (claret: Claret) => Description<unknown>[]): Promise<void> {
    this.#claret = await this.#appServer.open({});
    this.#claret.watch(reads(this.#claret), (change) => this.#take(change));
  }

  async close(): Promise<void> {
    await this.#claret?.close();
  }

  #take({ key, value, timestamp, error }: Change): void {
    if (error !== undefined) return this.#blame(`the watch of ${key} ended: ${error.code}`);
    const marks = value === null ? [] : Array.isArray(value) ? (value as string[]) : [String(value)];
    const told = { key, marks, timestamp, atMs: this.#nowMs() };
    const before = this.#newest.get(key);
    this.#told.push(told);
    this.#newest.set(key, told);
    if (before === undefined) return;
    if (timestamp < before.timestamp) this.#blame(`${key} is told as of ${timestamp}, was told as of ${before.timestamp} before`);
    const gone = Array.isArray(value) ? before.marks.find((mark) => !marks.includes(mark)) : undefined;
    if (gone !== undefined) this.#blame(`${key} has lost ${gone}, which was told as of ${before.timestamp} at ${before.atMs} ms`);
  }

  /** False: it has not yet received the state seen by the final reads. */
  knows(history: readonly HistoryAttempt[]): boolean {
    return this.#lastReads(history).every(({ key, result }) => JSON.stringify(this.#newest.get(key)?.marks) === result);
  }

  /** REQUIRES: everything received is in `history` or was in that of the previous part. `committed`: commit timestamps by attempt. */
  judgeTold(history: readonly HistoryAttempt[], committed: ReadonlyMap<string, string>): void {
    const made = new Map<string, bigint>();
    for (const { id, ops } of history) {
      const at = committed.get(id);
      if (at !== undefined) for (const { key, args } of ops) if (typeof args[0] === 'string') made.set(`${key} ${args[0]}`, BigInt(at));
    }
    this.#madeAt.unshift(made);
    const madeAt = (name: string) => this.#madeAt.find((some) => some.has(name))?.get(name);
    for (const { key, marks, timestamp, atMs } of this.#told) {
      const wrong = marks.find((mark) => (madeAt(`${key} ${mark}`) ?? timestamp + 1n) > timestamp);
      if (wrong !== undefined) {
        this.#blame(`${key} as of ${timestamp}, told at ${atMs} ms, has ${wrong}, committed ${madeAt(`${key} ${wrong}`) ?? 'never'}`);
      }
    }
    this.#told = [];
    const present = new Map<string, bigint>();
    for (const { key, marks } of this.#newest.values()) {
      for (const name of marks.map((mark) => `${key} ${mark}`)) present.set(name, madeAt(name) ?? 0n);
    }
    this.#madeAt = [made, this.#madeAt[1]!, present];
  }

  /** REQUIRES: no more states arrive. */
  judgeLast(history: readonly HistoryAttempt[]): void {
    for (const { key, result } of this.#lastReads(history)) {
      const marks = JSON.stringify(this.#newest.get(key)?.marks);
      if (marks !== result) this.#blame(`${key} was last reported as ${marks?.slice(0, 200)}, but is ${result.slice(0, 200)}`);
    }
  }

  #lastReads(history: readonly HistoryAttempt[]): { key: string; result: string }[] {
    const last = new Map<string, string>();
    for (const { label, outcome, ops } of history) {
      if (label !== 'FinalRead' || outcome !== 'ok') continue;
      for (const { key, op, result } of ops) {
        if (op === 'members' || op === 'get')
          last.set(key, JSON.stringify(Array.isArray(result) ? result : result == null ? [] : [result]));
      }
    }
    return [...last].map(([key, result]) => ({ key, result }));
  }

  #blame(text: string): void {
    this.violations.push({ rule: RULE, text });
  }
}
