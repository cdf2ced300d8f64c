// Reposting: shown at once, sent, and reported clearly if it fails.
import { serverClock, useAnnounce, useToast } from '@claret/ui/kit';
import { isSurelyUndone } from '@claret/ui/site';
import { useMemo, useSyncExternalStore, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type * as api from '../../../server/api.ts';
import { asProblem, del, post as send } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useHeardPost } from '../live/useLive.ts';
import { Presses, shownPressed } from '../components/presses.ts';
import { useSession } from '../session.ts';

/** Reposting a post twice changes nothing: the wanted state is in effect. */
async function sendRepost(post_id: string, reposted: boolean): Promise<number> {
  try {
    const path = API.repost(post_id);
    const answer = reposted ? await send<api.Reposted>(path) : await del<api.Reposted>(path);
    return answer.server_time_ms;
  } catch (thrown) {
    const { code } = asProblem(thrown);
    if (code === (reposted ? 'already_reposted' : 'not_reposted')) return serverClock.now();
    throw thrown;
  }
}

const presses = new Presses(sendRepost);

export interface Repost {
  reposts: number;
  reposted: boolean;
  /** a press is being sent to the server */
  isSending: boolean;
  /** Reposts or undoes the repost; leads a logged-out visitor to the login. */
  press(): void;
}

/** `post` is the server's answer at `read_at_ms`; `card`, the element that shows it, is observed for visibility. */
export function useRepost(post: api.PostView, read_at_ms: number, card: RefObject<Element | null>): Repost {
  const { user: viewer, refresh } = useSession();
  const viewer_id = viewer?.id ?? '';
  const heard = useHeardPost(post.id, card);
  const pressed = useSyncExternalStore(presses.subscribe, () => presses.pressed(viewer_id, post.id));
  const toast = useToast();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const shown = useMemo(
    () =>
      shownPressed(
        { count: post.reposts, isOn: post.reposted, at_ms: read_at_ms },
        heard && { count: heard.reposts, at_ms: heard.server_time_ms },
        pressed,
      ),
    [post, read_at_ms, heard, pressed],
  );
  const press = async () => {
    if (!viewer) return navigate(PAGE.login(pathname + search));
    const reposted = !shown.isOn;
    announce(reposted ? 'Reposted' : 'Repost undone');
    const problem = await presses.press({ viewer_id, id: post.id, isOn: reposted, at_ms: serverClock.atLeast() });
    if (!problem) return;
    if (problem.code === 'not_logged_in') void refresh();
    const wanted = reposted ? 'reposted' : 'undone';
    const title = isSurelyUndone(problem.code) ? (reposted ? 'Not reposted' : 'Repost not undone') : `This may not have been ${wanted}`;
    toast({ tone: 'bad', key: `repost ${post.id}`, title, text: problem.message });
  };
  return {
    reposts: shown.count,
    reposted: shown.isOn,
    isSending: pressed?.isSending ?? false,
    press: () => void press(),
  };
}
