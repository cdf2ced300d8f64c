// Jobs (../jobs.ts): each is reported before it is sent, and when there is a response.

import { randomUUID } from 'node:crypto';
import type { Claret } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { JOB_GROUPS, nearJob, sendUntilKnown, type Endpoints, type Job } from '../jobs.ts';
import { tell } from '../ledger.ts';
import type { Round } from '../workload.ts';

const REST_SHARE = 0.4;
const NEAR_SHARE = 0.5;
const TWICE_SHARE = 0.35;
/** After this time the runner resends the job. */
const KNOWN_WITHIN_MS = 20_000;

export async function runJob(claret: Claret, endpoints: Endpoints, chance: Chance, { epoch }: Round): Promise<void> {
  const origin = { protocol: chance.happens(REST_SHARE) ? 'rest' : 'client', epoch, group: chance.below(JOB_GROUPS) } as const;
  const id = origin.protocol === 'rest' ? randomUUID() : claret.transactionId(chance.happens(NEAR_SHARE) ? nearJob(origin) : undefined);
  const job: Job = { id, ...origin };
  tell({ job: { ...job, outcome: 'begun' } });
  const first = chance.below(2);
  const senders = chance.happens(TWICE_SHARE) ? [first, first + 1] : [first];
  await Promise.all(
    senders.map(async (sender) => {
      const sent = await sendUntilKnown(endpoints, job, sender, KNOWN_WITHIN_MS);
      if (sent !== null) tell({ job: { ...job, outcome: 'answered', answer: sent.answer, tries: sent.tries } });
    }),
  );
}
