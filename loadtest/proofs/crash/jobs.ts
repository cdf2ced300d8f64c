// Jobs: transactions that carry an id and are sent again until their answer is known. A client without an answer sends its job
// again, through another client or gateway, sometimes twice at once; after a kill the runner does. Each job draws an identifier
// and leaves marks under its id in two records. So the records tell how often it was applied, and which attempt's answer counts.
//
// Jobs have two doors: the client, whose body draws something new each time it runs; and REST with an Idempotency-Key, at any
// gateway.

import type { Claret, HistoryAttempt } from '@claret/client';
import { mapAtOnce } from '../../kit/at-once.ts';
import type { Outcome } from './outcomes.ts';
import { pause } from './until.ts';

export type Door = 'client' | 'rest';

export interface Job {
  /** the transaction's id; at REST the Idempotency-Key */
  id: string;
  door: Door;
  /** names its records: rounds of one epoch share them */
  epoch: number;
  group: number;
}

/** `begun`: it may be sent from now on. `answered`: somebody was told; each who asked tells what. */
export type JobTold = Job & ({ outcome: 'begun' } | { outcome: 'answered'; answer: string; tries: number });

/** Through which jobs may go. */
export interface Doors {
  clients: readonly Claret[];
  /** base URLs of gateways */
  rest: readonly string[];
}

export const JOB_GROUPS = 4;
/** Short at first, so that many an answer is given up although the transaction may commit; of the first try, and at most. */
export const JOB_TIMEOUT_MS = 400;
const TIMEOUT_MAX_MS = 10_000;
/** The longest there is: longer than any run takes that asks again. */
export const KEEP_MS = 24 * 3_600_000;
const AGAIN_MS = 25;
/** Answered ones that are sent once more at the end of a round: of this round, and of those before; and at the end of the run. */
const REPLAYED = { recent: 24, older: 12, atTheEnd: 200 };
/** Whose records are looked at in a backup. */
const JOBS_IN_BACKUP = 200;
const KNOWN_WITHIN_MS = 60_000;

const leftOf = ({ door, epoch, group }: Omit<Job, 'id'>) => `jobs:${door}:${epoch}:left:${group}`;
const rightOf = ({ door, epoch, group }: Omit<Job, 'id'>) => `jobs:${door}:${epoch}:right:${group}`;
/** Where a job of those records may be at home. */
export const nearJob = leftOf;

interface Answered {
  /** as text */
  answer: string;
  /** it is that of a commit before */
  replayed: boolean;
  /** the commit's timestamp; of REST, where it stands in the answer, 0 */
  committedAt: bigint;
}

/** Once; throws where there is no answer. */
async function send(doors: Doors, job: Job, sender: number, timeoutMs: number): Promise<Answered> {
  if (job.door === 'rest') return post(doors.rest[sender % doors.rest.length]!, job, timeoutMs);
  const claret = doors.clients[sender % doors.clients.length]!;
  const { id } = job;
  let told = { replayed: false, committedAt: 0n };
  const body = {
    id,
    keepMs: KEEP_MS,
    timeoutMs,
    onCommit: ({ replayed, committedAt }: typeof told) => void (told = { replayed, committedAt }),
  };
  const result = await claret.transaction(
    'Job',
    async (tx) => {
      const drawn = await tx.uidGenerator('jobs:ids').next();
      tx.dict(leftOf(job)).increment(id, 1);
      tx.dict(rightOf(job)).set({ [id]: drawn });
      return { drawn };
    },
    body,
  );
  return { answer: JSON.stringify(result), ...told };
}

async function post(base: string, job: Job, timeoutMs: number): Promise<Answered> {
  const operation = (key: string, type: string, name: string, ...args: unknown[]) => ({ key, type, operation: name, arguments: args });
  const response = await fetch(`${base}/v1/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `"${job.id}"` },
    body: JSON.stringify({
      label: 'Posted',
      operations: [
        operation('jobs:posted', 'UIdGenerator', 'next'),
        operation(leftOf(job), 'Dict', 'increment', job.id, 1),
        operation(rightOf(job), 'Dict', 'increment', job.id, 1),
      ],
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await response.text();
  if (response.status === 400 || response.status === 422) throw new WrongRequest(answer);
  if (response.status !== 200) throw new Error(answer);
  return { answer, replayed: response.headers.get('idempotency-replayed') === 'true', committedAt: 0n };
}

class WrongRequest extends Error {}

/** Again and again, each time through the next client or gateway. Null: not within that time. */
export async function sendUntilKnown(
  doors: Doors,
  job: Job,
  first: number,
  withinMs: number,
): Promise<(Answered & { tries: number }) | null> {
  const untilMs = performance.now() + withinMs;
  for (let tries = 0; performance.now() < untilMs; tries++) {
    try {
      const timeoutMs = Math.min(TIMEOUT_MAX_MS, JOB_TIMEOUT_MS * 2 ** tries);
      return { ...(await send(doors, job, first + tries, timeoutMs)), tries: tries + 1 };
    } catch (error) {
      if (error instanceof WrongRequest) throw error;
      await pause(AGAIN_MS);
    }
  }
  return null;
}

interface Known {
  job: Job;
  /** null: nobody was told yet */
  answer: string | null;
}

/** What was told of jobs, held against the records and against what is answered when they are sent once more. */
export class JobLedger {
  readonly #known = new Map<string, Known>();
  /** ids, since `fresh` */
  #recent = new Set<string>();
  #wrong: string[] = [];
  /** jobs at REST, which keep no history, of which an answer was told, and those of them that were counted */
  acknowledged = 0;
  checked = 0;
  /** jobs; times that somebody had no answer, and sent one again; sent once more when they were known, and answered the same */
  sent = 0;
  sentAgain = 0;
  replayed = 0;

  take(told: JobTold): void {
    const { id, door, epoch, group } = told;
    let known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, (known = { job: { id, door, epoch, group }, answer: null }));
    this.#recent.add(id);
    if (told.outcome === 'answered') this.#answered(known, told.answer, told.tries - 1);
  }

  #answered(known: Known, answer: string, sentAgain: number): void {
    this.sentAgain += sentAgain;
    if (known.answer === null) {
      known.answer = answer;
      this.sent++;
      if (known.job.door === 'rest') this.acknowledged++;
    } else if (known.answer !== answer) {
      this.#wrong.push(`job ${known.job.id} (${known.job.door}) was answered ${known.answer}, and then ${answer}`);
    }
  }

  /** Answers, by id, of what is acknowledged by now. */
  answers(): Map<string, string> {
    return new Map([...this.#known].flatMap(([id, { answer }]) => (answer === null ? [] : [[id, answer] as const])));
  }

  /** Jobs that no one was told of are sent until there is an answer. REQUIRES: nobody else is at work. */
  async finish(doors: Doors): Promise<void> {
    const open = [...this.#recent].map((id) => this.#known.get(id)!).filter(({ answer }) => answer === null);
    await mapAtOnce(open.length, async (number) => {
      const known = open[number]!;
      const sent = await sendUntilKnown(doors, known.job, number, KNOWN_WITHIN_MS);
      if (sent === null)
        this.#wrong.push(
          `job ${known.job.id} (${known.job.door}) was not answered within ${KNOWN_WITHIN_MS / 1000} s, with nobody else at work`,
        );
      else this.#answered(known, sent.answer, sent.tries);
    });
  }

  /** Of an attempt of a job, which no shard remembers any more: what it has left tells whether it was the one that counts. */
  async outcomeOf(attempt: HistoryAttempt, doors: Doors): Promise<Outcome> {
    const {
      key,
      args: [marks],
    } = attempt.ops.find(({ op }) => op === 'set') ?? { key: '', args: [] };
    const [[id, drawn]] = marks as [[string, string]];
    const { job } = this.#known.get(id) ?? {};
    if (job === undefined || rightOf(job) !== key) return 'undecided';
    const sent = await sendUntilKnown(doors, job, 0, KNOWN_WITHIN_MS);
    if (sent === null) return 'undecided';
    return sent.answer === JSON.stringify({ drawn }) ? sent.committedAt : null;
  }

  /** REQUIRES: `finish`, and nothing is under way. `pick`: of so many, one by chance. What is wrong, a line each. */
  async mismatches(claret: Claret, doors: Doors, pick: (count: number) => number): Promise<string[]> {
    const recent = [...this.#recent].map((id) => this.#known.get(id)!);
    this.#recent = new Set();
    const wrong = [
      ...this.#wrong.splice(0),
      ...(await this.counts(
        claret,
        recent.map(({ job }) => job),
      )),
    ];
    this.checked += recent.filter(({ job: { door } }) => door === 'rest').length;
    const all = [...this.#known.values()];
    const picked = [
      ...new Set([
        ...recent.slice(-REPLAYED.recent),
        ...(all.length === 0 ? [] : Array.from({ length: REPLAYED.older }, () => all[pick(all.length)]!)),
      ]),
    ];
    return [
      ...wrong,
      ...(await this.replays(
        doors,
        picked.map(({ job: { id } }) => id),
        this.answers(),
      )),
    ];
  }

  /** Of the whole run, as `mismatches`. */
  async mismatchesOfAll(claret: Claret, doors: Doors, pick: (count: number) => number): Promise<string[]> {
    const all = [...this.#known.values()].map(({ job }) => job);
    const picked = all.length === 0 ? [] : Array.from({ length: REPLAYED.atTheEnd }, () => all[pick(all.length)]!.id);
    return [...(await this.counts(claret, all)), ...(await this.replays(doors, [...new Set(picked)], this.answers()))];
  }

  /** Sends jobs with these answers once more; what is wrong, a line each. */
  async replays(doors: Doors, ids: readonly string[], answers: ReadonlyMap<string, string>): Promise<string[]> {
    const found = await mapAtOnce(ids.length, async (number): Promise<string[]> => {
      const { job } = this.#known.get(ids[number]!)!;
      const answer = answers.get(job.id);
      const sent = await sendUntilKnown(doors, job, number, KNOWN_WITHIN_MS);
      if (sent === null) return [`job ${job.id} (${job.door}), sent once more, was not answered within ${KNOWN_WITHIN_MS / 1000} s`];
      if (sent.replayed && sent.answer === answer) this.replayed++;
      if (!sent.replayed)
        return [`applied twice: job ${job.id} (${job.door}), answered ${answer}, sent once more, was run once more: ${sent.answer}`];
      return sent.answer === answer
        ? []
        : [`job ${job.id} (${job.door}) was answered ${answer}, and when it was sent once more ${sent.answer}`];
    });
    return found.flat();
  }

  /** Of a state of some time ago, when these answers had been told. */
  countsOfBackup(claret: Claret, answers: ReadonlyMap<string, string>): Promise<string[]> {
    const recent = [...this.#known.values()].slice(-JOBS_IN_BACKUP);
    return this.counts(
      claret,
      recent.map(({ job }) => job),
      answers,
    );
  }

  /** Holds all records of these jobs against what was told. `answers`: of those that must be there; every other one may be there, once. */
  async counts(claret: Claret, jobs: readonly Job[], answers: ReadonlyMap<string, string> = this.answers()): Promise<string[]> {
    const places = [...new Map(jobs.map((job) => [leftOf(job), job])).values()];
    const found = await mapAtOnce(places.length, async (number) => {
      const place = places[number]!;
      const [left, right] = await claret.transact('Count', [claret.on.dict(leftOf(place)).all(), claret.on.dict(rightOf(place)).all()]);
      return this.#countsIn(place, left, right, answers);
    });
    return found.flat();
  }

  #countsIn(
    place: Job,
    left: Readonly<Record<string, unknown>>,
    right: Readonly<Record<string, unknown>>,
    answers: ReadonlyMap<string, string>,
  ): string[] {
    const wrong: string[] = [];
    for (const { job } of this.#known.values()) {
      const { id } = job;
      if (leftOf(job) !== leftOf(place)) continue;
      const answer = answers.get(id);
      const [count, mark] = [left[id], right[id]];
      const name = `job ${id} (${job.door})`;
      if (count === undefined && mark === undefined) {
        if (answer !== undefined) wrong.push(`lost: ${name} was answered ${answer}, and has left nothing`);
      } else if (count !== 1) {
        wrong.push(
          `${name} was applied ${count === undefined ? 'by half' : `${String(count)} times`}; ${answer === undefined ? 'nobody was told' : `it was answered ${answer}`}`,
        );
      } else if (mark === undefined || (job.door === 'rest' && mark !== 1)) {
        wrong.push(`half a job: ${name} is in one record ${String(count)} times, in the other ${String(mark ?? 0)} times`);
      } else if (job.door === 'client' && answer !== undefined && JSON.stringify({ drawn: mark }) !== answer) {
        wrong.push(`${name} was answered ${answer}, and has left ${JSON.stringify(mark)}`);
      }
    }
    for (const id of new Set([...Object.keys(left), ...Object.keys(right)]))
      if (!this.#known.has(id)) wrong.push(`job ${id} is there, and nobody has sent it`);
    return wrong;
  }
}
