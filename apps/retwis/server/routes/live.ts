// The live stream of a page; live/viewer.ts decides its content.
import type { App } from '@claret/site/http.ts';
import { EventStreams, idList } from '@claret/site/live/streams.ts';
import { RequestProblem } from '@claret/site/problem.ts';

import { LIMITS, LiveQuery, type LiveEvents } from '../api.ts';
import { startViewer } from '../live/viewer.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

const ID_PATTERN = /^[0-9A-Za-z_.-]{1,64}$/;
const POSTS = { pattern: ID_PATTERN, count_max: LIMITS.live_posts_max };
const USERS = { pattern: ID_PATTERN, count_max: LIMITS.live_users_max };
/** different topics of all live streams of this server together */
const TOPICS_MAX = 50_000;

export function liveRoutes(app: App, { claret, topics }: Services): void {
  const streams = new EventStreams<LiveEvents>(app, claret.clock);

  app.get('/live', { schema: { querystring: LiveQuery } }, async (request, reply) => {
    const { timeline, latest, trending, ...named } = request.query;
    const names = { posts: idList('posts', named.posts, POSTS), users: idList('users', named.users, USERS) };
    streams.refuseWhenFull(request);
    if (topics.size >= TOPICS_MAX) throw new RequestProblem('too_many_streams', { retry_after_s: 30 });
    const user = await sessions.personOf(request);
    const { posts, users } = await topics.existing(names);
    const stream = streams.open(request, reply);
    if (stream === null) return;

    stream.state('hello', '', { server_time_ms: claret.clock.nowMs(), user: user && { id: user.id, username: user.username } });
    const timeline_of = timeline === '1' && user !== null ? user.id : null;
    const ends = [startViewer(claret, topics, stream, { timeline_of, latest: latest === '1', trending: trending === '1', posts, users })];
    // A timeline is private: once its owner has logged out, on whichever server, the page has to ask again who is logged in.
    if (user !== null) ends.push(sessions.onEnd(claret, request, () => stream.close()));
    stream.onClose(() => ends.forEach((end) => end()));
  });
}
