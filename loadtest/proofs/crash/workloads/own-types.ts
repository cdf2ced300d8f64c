// Transactions on records of installed types (../../workloads/own-types.ts), which the runner changes meanwhile (../own-types.ts). Each error has to
// have a reason.

import { ClaretError } from '@claret/client';
import { OwnTypes } from '../../workloads/own-types.ts';
import { MovingSeatMap } from '../../workloads/types/installed.ts';
import { Refusals } from '../../workloads/types/refusals.ts';
import { tell } from '../ledger.ts';
import { MOVING_IN_ROUND } from '../own-types.ts';
import type { Begin } from '../workload.ts';

export const ownTypes: Begin = ({ claret, chance }) => {
  // Without natives: nobody can be asked afterwards how one has ended.
  const running = new OwnTypes(false);
  const refusals = new Refusals(
    running.types,
    () => performance.now(),
    (rule, text) => tell({ failed: `${rule}: ${text}` }),
  );
  for (const type of running.types.first) refusals.confirmed(type);
  let said = 0;
  return {
    async run({ number }) {
      if (number > MOVING_IN_ROUND) refusals.confirmed(MovingSeatMap);
      const begunMs = performance.now();
      try {
        await running.run(claret, chance);
      } catch (error) {
        if (error instanceof ClaretError) refusals.judge(error, begunMs);
        throw error;
      } finally {
        const wrong = running.judge([]);
        for (const { text } of wrong.slice(said)) tell({ failed: text });
        said = wrong.length;
      }
    },
  };
};
