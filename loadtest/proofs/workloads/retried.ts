// Jobs with transaction ids, resent until a response arrives, by any app server and also twice at once: each is applied once, and
// all responses are the same. Half of the jobs look first whether they are done, and throw: nobody may be told of that.
import type { ClaretError, HistoryAttempt } from '@claret/client';
import type { Workload } from './workload.ts';

const GROUPS = 4;
const DONE = 'The job is done already.';
const group = (number: number) => `jobs:${number % GROUPS}`;

interface Job {
  id: string;
  number: number;
  /** as JSON, once a sender got it */
  answer: string | null;
}

export const retried: Workload = {
  name: 'retried',
  begin() {
    const jobs: Job[] = [];
    const open = () => jobs.filter(({ answer }) => answer === null);
    const wrong: string[] = [];
    return {
      async run(claret, chance) {
        const unanswered = open();
        let job = unanswered.length > 0 && chance.happens(0.6) ? chance.pick(unanswered) : undefined;
        if (job === undefined && jobs.length > 0 && chance.happens(0.1)) job = chance.pick(jobs);
        if (job === undefined) {
          const near = chance.happens(0.5) ? group(jobs.length) : undefined;
          jobs.push((job = { id: claret.transactionId(near), number: jobs.length, answer: null }));
        }
        const { id, number } = job;
        const looks = number % 2 === 0;
        const field = `job ${number}`;
        const send = async (): Promise<void> => {
          const told = job.answer !== null;
          const answer = JSON.stringify(
            await claret
              .transaction(
                'Job',
                async (tx) => {
                  if (looks && (await tx.dict(group(number)).get(field))[0] !== null) throw new Error(DONE);
                  const drawn = await tx.uidGenerator('job-ids').next();
                  tx.dict(group(number)).increment(field, 1);
                  tx.counter('jobs-done').add(1);
                  return { drawn, field };
                },
                { id },
              )
              .catch((error: ClaretError) => {
                if (error.message === DONE) wrong.push(`job ${number} was told of its own effects`);
                if (told && error.commitState === 'none')
                  wrong.push(`job ${number} was told of, and then said not to have happened: ${error.code}`);
                throw error;
              }),
          );
          job.answer ??= answer;
          if (answer !== job.answer) wrong.push(`job ${number} answered ${job.answer}, then ${answer}`);
        };
        const sent = Array.from({ length: chance.happens(0.3) ? 2 : 1 }, send);
        const [first, second] = await Promise.allSettled(sent);
        for (const one of [second, first]) if (one?.status === 'rejected') throw one.reason;
      },
      judge: (history) => [...wrong, ...miscounted(history, jobs)].map((text) => ({ rule: 'retried', text })),
    };
  },
};

/** Compares with the results of the final reads. */
function miscounted(history: readonly HistoryAttempt[], jobs: readonly Job[]): string[] {
  const counts = new Map<string, unknown>();
  for (const { label, ops } of history) {
    if (label !== 'FinalRead') continue;
    for (const { op, result } of ops)
      if (op === 'all') for (const [field, count] of result as [string, unknown][]) counts.set(field, count);
  }
  return jobs.flatMap(({ number, answer }) => {
    const count = counts.get(`job ${number}`);
    const right = count === 1 || (count === undefined && answer === null);
    return right
      ? []
      : [`job ${number} was applied ${String(count ?? 0)} times; ${answer === null ? 'nobody was told' : `told ${answer}`}`];
  });
}
