// Native operations of a request, within the request's limits as its transactions are: answered no later than its deadline, and no longer
// waited for once they are called off. A scope of the client ends a native only as long as it has not been sent.
import { ClaretError, type Scope } from '@claret/client';

import { RequestProblem } from '../problem.ts';

/**
 * Resolves with the native's answer. Rejects with its error; at the scope's deadline with `busy`, or `outcome_unknown` for a native that
 * changes something; with `called_off` once the scope is called off. A native that was issued may be executed all the same.
 * @param changes the native changes something
 */
export function withinScope<Result>(scope: Scope, changes: boolean, issue: () => Promise<Result>): Promise<Result> {
  if (scope.calledOff) return Promise.reject(new ClaretError({ code: 'called_off', message: 'The request was called off' }));
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      scope.leave(waiting, changes);
      settle();
    };
    const waiting = { callOff: (error: ClaretError) => end(() => reject(error)) };
    const late = () =>
      end(() => reject(changes ? new RequestProblem('outcome_unknown') : new RequestProblem('busy', { retry_after_s: 1 })));
    const timer = scope.deadlineMs === Infinity ? undefined : setTimeout(late, scope.deadlineMs - performance.now());
    scope.enter(waiting);
    issue().then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error as Error)),
    );
  });
}
