// The state of the live stream as plain data: `hear` takes a state and an event and returns the next state.
import type * as api from '../../../server/api.ts';

export interface LiveState {
  /** null: not received yet */
  readonly timeline: api.LiveEntries | null;
  readonly latest: api.LiveEntries | null;
  readonly trending: api.LiveTrending | null;
  readonly posts: ReadonlyMap<string, api.LivePost>;
  readonly users: ReadonlyMap<string, api.LiveUser>;
}

export const SILENT: LiveState = { timeline: null, latest: null, trending: null, posts: new Map(), users: new Map() };

/** the number of posts and people kept after they are no longer followed, since the reader may scroll back to them */
const KEPT_MAX = 400;

type LiveEventName = keyof api.LiveEvents;

/** The next state; the same object if nothing changed. Unknown events change nothing. */
export function hear(state: LiveState, name: string, event: object): LiveState {
  switch (name as LiveEventName) {
    case 'timeline':
      return { ...state, timeline: event as api.LiveEntries };
    case 'latest':
      return { ...state, latest: event as api.LiveEntries };
    case 'trending':
      return { ...state, trending: event as api.LiveTrending };
    case 'post': {
      const post = event as api.LivePost;
      return { ...state, posts: withNewest(state.posts, post.post_id, post) };
    }
    case 'user': {
      const user = event as api.LiveUser;
      return { ...state, users: withNewest(state.users, user.user_id, user) };
    }
    default:
      return state;
  }
}

/** Drops the timeline of the person who was logged in before; public states stay. */
export function forgetPerson(state: LiveState): LiveState {
  return { ...state, timeline: null };
}

function withNewest<Value>(before: ReadonlyMap<string, Value>, id: string, value: Value): ReadonlyMap<string, Value> {
  const map = new Map(before);
  map.delete(id); // the newest come last, so that the oldest are dropped first
  map.set(id, value);
  if (map.size > KEPT_MAX) map.delete(map.keys().next().value!);
  return map;
}
