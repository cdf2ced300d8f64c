// The driver process of the sweep: runs one cell at a time.

import { ClaretError, connect } from '@claret/client';
import { randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import { runClosedLoop } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import type { Answer, Question } from './question.ts';

const UPDATE = 0.5;
const WARM_SHARE = 0.4;

answerParent<Question, Answer>(async ({ addresses, alpha, clients, policy, seed, seconds, name }) => {
  const claret = await connect({ addresses, name: 'bench', retryPolicy: policy, attemptsMax: 100_000 });
  const rawmix = new Rawmix({ alpha, update: UPDATE, name: `rawmix:${name}` }, randomFrom(seed));
  let commits = 0;
  let failures = 0;
  const load = {
    begin(done: () => void) {
      void rawmix.run(claret, rawmix.draw(claret), 'interactive').then(
        () => {
          commits++;
          done();
        },
        (error: unknown) => {
          if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
          failures++;
          setImmediate(done);
        },
      );
    },
    close: () => claret.close(),
  };
  const span = await runClosedLoop(load, { inFlight: clients, seconds, warmSeconds: seconds * WARM_SHARE, serverPids: [] });
  const { retries, denials } = claret.counters;
  await rawmix.check(claret);
  await load.close();
  const committed = commits / (commits + failures);
  return {
    txn_per_s: (committed * span.count) / span.seconds,
    retries_per_commit: retries / commits,
    denials_per_commit: denials / commits,
  };
});
