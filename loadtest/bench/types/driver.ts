// The driver process of the types benchmark: runs one cell at a time, and checks what it has stored.

import { connect } from '@claret/client';
import { runClosedLoop, type Span } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import type { Question } from './question.ts';
import { workOf } from './subjects.ts';

const WARM_SHARE = 0.4;
/** Attempts are limited by time, not by their number. */
const ATTEMPTS_MAX = 100_000;

answerParent<Question, Span>(async ({ address, pid, subject, way, cell, seed, inFlight, seconds }) => {
  const claret = await connect({ addresses: [address], name: 'bench', pollMicroseconds: 0, attemptsMax: ATTEMPTS_MAX });
  const work = await workOf(subject, way)(claret, cell, seed);
  let acknowledged = 0;
  const span = await runClosedLoop(
    {
      begin(done) {
        void work.run().then(() => {
          acknowledged++;
          done();
        });
      },
      close: () => {},
    },
    { inFlight, seconds, warmSeconds: seconds * WARM_SHARE, serverPids: [pid] },
  );
  await work.check(acknowledged);
  await claret.close();
  return span;
});
