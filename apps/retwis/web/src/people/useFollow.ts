// Following a person: shown at once, sent, and reported clearly if it fails.
import { serverClock, useAnnounce, useToast } from '@claret/ui/kit';
import { isSurelyUndone } from '@claret/ui/site';
import { useSyncExternalStore } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, del, post, queries } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { Presses, shownPressed } from '../components/presses.ts';
import { useSession } from '../session.ts';

/** Following a person twice changes nothing: the wanted state is in effect. */
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

const presses = new Presses(sendFollow);

/** the server's answer about a person at `at_ms`; `followed` is null if the answer had no viewer */
export interface ReadPerson {
  username: string;
  followers: number;
  followed: boolean | null;
  at_ms: number;
}

export interface Follow {
  /** including the viewer's own press */
  followers: number;
  isFollowing: boolean;
  /** Follows or unfollows, the opposite of what is shown. */
  press(): void;
}

/** `heard`: the stream's latest count, if the page listens. */
export function useFollow(read: ReadPerson, heard?: { count: number; at_ms: number }): Follow {
  const { user: viewer, refresh } = useSession();
  const { username } = read;
  const viewer_id = viewer?.id ?? '';
  const toast = useToast();
  const announce = useAnnounce();
  const pressed = useSyncExternalStore(presses.subscribe, () => presses.pressed(viewer_id, username));
  const { count, isOn } = shownPressed({ count: read.followers, isOn: read.followed ?? false, at_ms: read.at_ms }, heard, pressed);
  const press = async () => {
    const follows = !isOn;
    announce(follows ? `You now follow ${username}` : `You no longer follow ${username}`);
    const problem = await presses.press({ viewer_id, id: username, isOn: follows, at_ms: serverClock.atLeast() });
    if (!problem) return;
    if (problem.code === 'not_logged_in') void refresh();
    const isUndone = isSurelyUndone(problem.code);
    if (!isUndone) void queries.load(API.user(username), true);
    const title = isUndone
      ? `You ${follows ? 'don’t follow' : 'still follow'} ${username}${follows ? ' yet' : ''}`
      : `You may ${follows ? 'not' : 'still'} be following ${username}`;
    toast({ tone: 'bad', key: `follow ${username}`, title, text: problem.message });
  };
  return { followers: count, isFollowing: isOn, press: () => void press() };
}
