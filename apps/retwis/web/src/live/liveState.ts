// What the live stream has said so far, as plain data: `hear` takes a state and an event and gives the next state.
import type * as api from '../../../server/api.ts';

export interface LiveState {
  /** Null: not heard yet. */
  readonly timeline: api.LiveEntries | null;
  readonly latest: api.LiveEntries | null;
  readonly trending: api.LiveTrending | null;
  readonly posts: ReadonlyMap<string, api.LivePost>;
  readonly users: ReadonlyMap<string, api.LiveUser>;
  /** False while the app server cannot reach the store: what is shown may be old. */
  readonly isStoreReachable: boolean;
}

export const SILENT: LiveState = {
  timeline: null,
  latest: null,
  trending: null,
  posts: new Map(),
  users: new Map(),
  isStoreReachable: true,
};

/** States of posts and people that are no longer followed are kept up to so many: one may scroll back to them. */
const KEPT_MAX = 400;

type LiveEventName = keyof api.LiveEvents;

/** The next state; the same object when nothing changed. Unknown events and unreadable data change nothing. */
export function hear(state: LiveState, name: string, data: string): LiveState {
  const event = readEvent(data);
  if (event === null) return state;
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
    case 'connection':
      return { ...state, isStoreReachable: (event as api.LiveConnection).connected };
    case 'hello':
      return state.isStoreReachable ? state : { ...state, isStoreReachable: true };
    default:
      return state;
  }
}

function readEvent(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function withNewest<Value>(before: ReadonlyMap<string, Value>, id: string, value: Value): ReadonlyMap<string, Value> {
  const map = new Map(before);
  map.delete(id); // the newest stand last, so that the oldest are forgotten first
  map.set(id, value);
  if (map.size > KEPT_MAX) map.delete(map.keys().next().value!);
  return map;
}
