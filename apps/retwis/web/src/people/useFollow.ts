// Following somebody: shown at once, sent, and said clearly where it did not work.
import { serverClock, useAnnounce, useToast } from '@claret/ui/kit';
import { useSyncExternalStore } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, del, post, queries } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useSession } from '../session.ts';
import { Follows } from './follows.ts';

/** Following whom one follows already changes nothing: what was wanted holds. */
async function sendFollow(username: string, follows: boolean): Promise<number> {
  try {
    const path = API.follow(username);
    const answer = follows ? await post<api.Followed>(path) : await del<api.Followed>(path);
    return answer.server_time_ms;
  } catch (thrown) {
    const { code } = asProblem(thrown);
    if (code === (follows ? 'already_following' : 'not_following')) return serverClock.now();
    throw thrown;
  }
}

const follows = new Follows(sendFollow);

export interface Following {
  isFollowing: boolean;
  /** Follows or unfollows, the opposite of what is shown. */
  press(): void;
}

/** `read` is what an answer of the server said at `read_at_ms`; null if it knew no viewer. */
export function useFollow(user: api.UserRef, read: boolean | null, read_at_ms: number): Following {
  const { user: viewer, refresh } = useSession();
  const viewer_id = viewer?.id ?? '';
  const toast = useToast();
  const announce = useAnnounce();
  const isFollowing = useSyncExternalStore(follows.subscribe, () =>
    follows.state(viewer_id, user.id, read ?? false, read_at_ms),
  );
  const press = async () => {
    const wanted = !isFollowing;
    announce(wanted ? `You follow ${user.username}` : `You no longer follow ${user.username}`);
    const problem = await follows.press({ viewer_id, user, follows: wanted });
    if (!problem) return;
    if (problem.code === 'not_logged_in') void refresh();
    if (problem.code === 'outcome_unknown') void queries.load(API.user(user.username), true);
    const title = wanted ? `You do not follow ${user.username} yet` : `You still follow ${user.username}`;
    toast({ tone: 'bad', key: `follow ${user.id}`, title, text: problem.message });
  };
  return { isFollowing, press: () => void press() };
}
