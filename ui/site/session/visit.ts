// What every page of a visit needs, from the answer that the first page's own data comes with: it costs no request of its own.
import { CONDITIONS_API, SESSION_API } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { queries } from '../api/useQuery.ts';
import type { Session } from './useSession.ts';

/** Longer than a server takes to refuse a page: until then the session comes with it. */
export const SESSION_ALONE_MS = 2_500;

/** the server's answer; `unusual`: null while the cluster's mode is normal */
export interface Conditions {
  unusual: string | null;
}

export interface Visit extends Conditions {
  session: Session;
}

/**
 * Resolves with the session. What does not come with the answer is requested by itself: all, if there is no answer; the session, if the answer
 * takes so long that the page goes on without its own data.
 */
export function begunWith(answer: Promise<Visit>): Promise<Session> {
  void queries.load(CONDITIONS_API, false, () =>
    answer.then(
      ({ unusual }) => ({ unusual }),
      () => get<Conditions>(CONDITIONS_API),
    ),
  );
  return new Promise((resolve, reject) => {
    let isAlone = false;
    const alone = () => {
      if (!isAlone) get<Session>(SESSION_API.session).then(resolve, reject);
      isAlone = true;
    };
    const timer = setTimeout(alone, SESSION_ALONE_MS);
    void answer.then(({ session }) => resolve(session), alone).finally(() => clearTimeout(timer));
  });
}
