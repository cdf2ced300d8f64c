// Reads of a cluster in which nothing is in flight. A link that breaks late may take the result of a read with it, whose transaction has
// committed (`result_lost`): then it is read again.
import { ClaretError, type Claret, type Description, type ResultsOf } from '@claret/client';

export async function readAtRest<const Descriptions extends readonly Description<unknown>[]>(
  claret: Claret,
  label: string,
  operations: Descriptions,
): Promise<ResultsOf<Descriptions>> {
  for (;;) {
    try {
      return await claret.transact(label, operations);
    } catch (error) {
      if (!(error instanceof ClaretError && error.code === 'result_lost')) throw error;
    }
  }
}
