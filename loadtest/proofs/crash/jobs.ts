// Jobs: transactions with an id that are resent until their response is known. A client without a response resends its job, through
// another client or gateway, sometimes twice at once; after a kill the runner does. Each job draws an identifier and leaves marks
// under its id in two records. So the records show how often it was applied, and which attempt's response counts.
//
// Jobs use one of two protocols: the client, whose body draws another identifier each time it runs; and REST with an
// Idempotency-Key, at any gateway.

import type { Claret, HistoryAttempt } from '@claret/client';
import { readAtRest } from './at-rest.ts';
import { mapAtOnce } from '../../kit/at-once.ts';
import type { Outcome } from './outcomes.ts';
import { authorization } from './authorization.ts';
import { pause } from './until.ts';

export type Protocol = 'client' | 'rest';

export interface Job {
  /** the transaction's id; for REST the Idempotency-Key */
  id: string;
  protocol: Protocol;
  /** names its records, which rounds of one epoch share */
  epoch: number;
  group: number;
}

/** `begun`: it may be sent from now on. `answered`: a sender got a response; each sender reports its own. */
export type JobTold = Job & ({ outcome: 'begun' } | { outcome: 'answered'; answer: string; tries: number });

/** The endpoints for jobs. */
export interface Endpoints {
  clients: readonly Claret[];
  /** base URLs of gateways */
  rest: readonly string[];
  /** of the cluster; empty: none */
  token: string;
}

export const JOB_GROUPS = 4;
/** Initially short, so that many responses are given up although the transaction may commit: the first timeout, and the greatest. */
export const JOB_TIMEOUT_MS = 400;
const TIMEOUT_MAX_MS = 10_000;
/** The longest permitted: longer than any run that resends. */
export const KEEP_MS = 24 * 3_600_000;
const AGAIN_MS = 25;
/** Numbers of answered jobs that are resent at the end of a round, from this round and from earlier ones; and at the end of the run. */
const REPLAYED = { recent: 24, older: 12, atTheEnd: 200 };
/** Number of jobs whose records are checked in a backup. */
const JOBS_IN_BACKUP = 200;
const KNOWN_WITHIN_MS = 60_000;

const leftOf = ({ protocol, epoch, group }: Omit<Job, 'id'>) => `jobs:${protocol}:${epoch}:left:${group}`;
const rightOf = ({ protocol, epoch, group }: Omit<Job, 'id'>) => `jobs:${protocol}:${epoch}:right:${group}`;
/** A key that puts a job on the same shard as these records. */
export const nearJob = leftOf;

interface Answered {
  /** as text */
  answer: string;
  /** it repeats that of an earlier commit */
  replayed: boolean;
  /** the commit's timestamp; 0 for REST, whose response contains it */
  committedAt: bigint;
}

/** Sends once; throws if there is no response. */
async function send(endpoints: Endpoints, job: Job, sender: number, timeoutMs: number): Promise<Answered> {
  if (job.protocol === 'rest') return post(endpoints, job, sender, timeoutMs);
  const claret = endpoints.clients[sender % endpoints.clients.length]!;
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

async function post({ rest, token }: Endpoints, job: Job, sender: number, timeoutMs: number): Promise<Answered> {
  const operation = (key: string, type: string, name: string, ...args: unknown[]) => ({ key, type, operation: name, arguments: args });
  const response = await fetch(`${rest[sender % rest.length]!}/v1/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `"${job.id}"`, ...authorization(token) },
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

/** Resends, each time through the next client or gateway. Null: no response within that time. */
export async function sendUntilKnown(
  endpoints: Endpoints,
  job: Job,
  first: number,
  withinMs: number,
): Promise<(Answered & { tries: number }) | null> {
  const untilMs = performance.now() + withinMs;
  for (let tries = 0; performance.now() < untilMs; tries++) {
    try {
      const timeoutMs = Math.min(TIMEOUT_MAX_MS, JOB_TIMEOUT_MS * 2 ** tries);
      return { ...(await send(endpoints, job, first + tries, timeoutMs)), tries: tries + 1 };
    } catch (error) {
      if (error instanceof WrongRequest) throw error;
      await pause(AGAIN_MS);
    }
  }
  return null;
}

interface Known {
  job: Job;
  /** null: no response yet */
  answer: string | null;
}

/** Compares the reports on jobs with the records and with the responses when they are resent. */
export class JobLedger {
  readonly #known = new Map<string, Known>();
  /** ids since `fresh` */
  #recent = new Set<string>();
  #wrong: string[] = [];
  /** jobs at REST, which keep no history: those with a response, and those of them that were checked */
  acknowledged = 0;
  checked = 0;
  /** number of jobs; of resends without a response; of resends after a response, which got the same one */
  sent = 0;
  sentAgain = 0;
  replayed = 0;

  take(told: JobTold): void {
    const { id, protocol, epoch, group } = told;
    let known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, (known = { job: { id, protocol, epoch, group }, answer: null }));
    this.#recent.add(id);
    if (told.outcome === 'answered') this.#answered(known, told.answer, told.tries - 1);
  }

  #answered(known: Known, answer: string, sentAgain: number): void {
    this.sentAgain += sentAgain;
    if (known.answer === null) {
      known.answer = answer;
      this.sent++;
      if (known.job.protocol === 'rest') this.acknowledged++;
    } else if (known.answer !== answer) {
      this.#wrong.push(`job ${known.job.id} (${known.job.protocol}) was answered ${known.answer}, and then ${answer}`);
    }
  }

  /** The responses known so far, by id. */
  answers(): Map<string, string> {
    return new Map([...this.#known].flatMap(([id, { answer }]) => (answer === null ? [] : [[id, answer] as const])));
  }

  /** Sends jobs without a response until there is one. REQUIRES: no other load. */
  async finish(endpoints: Endpoints): Promise<void> {
    const open = [...this.#recent].map((id) => this.#known.get(id)!).filter(({ answer }) => answer === null);
    await mapAtOnce(open.length, async (number) => {
      const known = open[number]!;
      const sent = await sendUntilKnown(endpoints, known.job, number, KNOWN_WITHIN_MS);
      if (sent === null)
        this.#wrong.push(
          `job ${known.job.id} (${known.job.protocol}) was not answered within ${KNOWN_WITHIN_MS / 1000} s, with nobody else at work`,
        );
      else this.#answered(known, sent.answer, sent.tries);
    });
  }

  /** The outcome of an attempt of a job that no shard remembers: its marks tell whether it was the one that was applied. */
  async outcomeOf(attempt: HistoryAttempt, endpoints: Endpoints): Promise<Outcome> {
    const {
      key,
      args: [marks],
    } = attempt.ops.find(({ op }) => op === 'set') ?? { key: '', args: [] };
    const [[id, drawn]] = marks as [[string, string]];
    const { job } = this.#known.get(id) ?? {};
    if (job === undefined || rightOf(job) !== key) return 'undecided';
    const sent = await sendUntilKnown(endpoints, job, 0, KNOWN_WITHIN_MS);
    if (sent === null) return 'undecided';
    return sent.answer === JSON.stringify({ drawn }) ? sent.committedAt : null;
  }

  /** REQUIRES: `finish`, and nothing in flight. `pick`: draws a number below its argument. Returns violations, one line each. */
  async mismatches(claret: Claret, endpoints: Endpoints, pick: (count: number) => number): Promise<string[]> {
    const recent = [...this.#recent].map((id) => this.#known.get(id)!);
    this.#recent = new Set();
    const wrong = [
      ...this.#wrong.splice(0),
      ...(await this.counts(
        claret,
        recent.map(({ job }) => job),
      )),
    ];
    this.checked += recent.filter(({ job: { protocol } }) => protocol === 'rest').length;
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
        endpoints,
        picked.map(({ job: { id } }) => id),
        this.answers(),
      )),
    ];
  }

  /** For the whole run, as `mismatches`. */
  async mismatchesOfAll(claret: Claret, endpoints: Endpoints, pick: (count: number) => number): Promise<string[]> {
    const all = [...this.#known.values()].map(({ job }) => job);
    const picked = all.length === 0 ? [] : Array.from({ length: REPLAYED.atTheEnd }, () => all[pick(all.length)]!.id);
    return [...(await this.counts(claret, all)), ...(await this.replays(endpoints, [...new Set(picked)], this.answers()))];
  }

  /** Resends jobs with these responses; returns violations, one line each. */
  async replays(endpoints: Endpoints, ids: readonly string[], answers: ReadonlyMap<string, string>): Promise<string[]> {
    const found = await mapAtOnce(ids.length, async (number): Promise<string[]> => {
      const { job } = this.#known.get(ids[number]!)!;
      const answer = answers.get(job.id);
      const sent = await sendUntilKnown(endpoints, job, number, KNOWN_WITHIN_MS);
      if (sent === null) return [`job ${job.id} (${job.protocol}), sent once more, was not answered within ${KNOWN_WITHIN_MS / 1000} s`];
      if (sent.replayed && sent.answer === answer) this.replayed++;
      if (!sent.replayed)
        return [`applied twice: job ${job.id} (${job.protocol}), answered ${answer}, sent once more, was run once more: ${sent.answer}`];
      return sent.answer === answer
        ? []
        : [`job ${job.id} (${job.protocol}) was answered ${answer}, and when it was sent once more ${sent.answer}`];
    });
    return found.flat();
  }

  /** For an earlier state, at which these responses were known. */
  countsOfBackup(claret: Claret, answers: ReadonlyMap<string, string>): Promise<string[]> {
    const recent = [...this.#known.values()].slice(-JOBS_IN_BACKUP);
    return this.counts(
      claret,
      recent.map(({ job }) => job),
      answers,
    );
  }

  /** Compares all records of these jobs with the reports. `answers`: of the jobs that must be there; any other job may be there, once. */
  async counts(claret: Claret, jobs: readonly Job[], answers: ReadonlyMap<string, string> = this.answers()): Promise<string[]> {
    const groups = [...new Map(jobs.map((job) => [leftOf(job), job])).values()];
    const found = await mapAtOnce(groups.length, async (number) => {
      const group = groups[number]!;
      const [left, right] = await readAtRest(claret, 'Count', [claret.on.dict(leftOf(group)).all(), claret.on.dict(rightOf(group)).all()]);
      return this.#countsIn(group, left, right, answers);
    });
    return found.flat();
  }

  #countsIn(
    group: Job,
    left: Readonly<Record<string, unknown>>,
    right: Readonly<Record<string, unknown>>,
    answers: ReadonlyMap<string, string>,
  ): string[] {
    const wrong: string[] = [];
    for (const { job } of this.#known.values()) {
      const { id } = job;
      if (leftOf(job) !== leftOf(group)) continue;
      const answer = answers.get(id);
      const [count, mark] = [left[id], right[id]];
      const name = `job ${id} (${job.protocol})`;
      if (count === undefined && mark === undefined) {
        if (answer !== undefined) wrong.push(`lost: ${name} was answered ${answer}, and has left nothing`);
      } else if (count !== 1) {
        wrong.push(
          `${name} was applied ${count === undefined ? 'by half' : `${String(count)} times`}; ${answer === undefined ? 'nobody was told' : `it was answered ${answer}`}`,
        );
      } else if (mark === undefined || (job.protocol === 'rest' && mark !== 1)) {
        wrong.push(`half a job: ${name} is in one record ${String(count)} times, in the other ${String(mark ?? 0)} times`);
      } else if (job.protocol === 'client' && answer !== undefined && JSON.stringify({ drawn: mark }) !== answer) {
        wrong.push(`${name} was answered ${answer}, and has left ${JSON.stringify(mark)}`);
      }
    }
    for (const id of new Set([...Object.keys(left), ...Object.keys(right)]))
      if (!this.#known.has(id)) wrong.push(`job ${id} is there, and nobody has sent it`);
    return wrong;
  }
}
