// Jobs (../jobs.ts): each is told of before it is sent, and when there is an answer.

import { randomUUID } from 'node:crypto';
import type { Claret } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { JOB_GROUPS, nearJob, sendUntilKnown, type Doors, type Job } from '../jobs.ts';
import { tell } from '../ledger.ts';
import type { Round } from '../workload.ts';

const REST_SHARE = 0.4;
const NEAR_SHARE = 0.5;
const TWICE_SHARE = 0.35;
/** Then the runner sends it. */
const KNOWN_WITHIN_MS = 20_000;

export async function runJob(claret: Claret, doors: Doors, chance: Chance, { epoch }: Round): Promise<void> {
  const place = { door: chance.happens(REST_SHARE) ? 'rest' : 'client', epoch, group: chance.below(JOB_GROUPS) } as const;
  const id = place.door === 'rest' ? randomUUID() : claret.transactionId(chance.happens(NEAR_SHARE) ? nearJob(place) : undefined);
  const job: Job = { id, ...place };
  tell({ job: { ...job, outcome: 'begun' } });
  const first = chance.below(2);
  const senders = chance.happens(TWICE_SHARE) ? [first, first + 1] : [first];
  await Promise.all(
    senders.map(async (sender) => {
      const sent = await sendUntilKnown(doors, job, sender, KNOWN_WITHIN_MS);
      if (sent !== null) tell({ job: { ...job, outcome: 'answered', answer: sent.answer, tries: sent.tries } });
    }),
  );
}
