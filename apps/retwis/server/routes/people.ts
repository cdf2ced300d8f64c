// One person: their profile, their followers and followed people; following them.
import type { Claret } from '@claret/client';
import type { App } from '@claret/site/http.ts';
import type { FastifyRequest } from 'fastify';

import { catchUp, newestSeen } from '../actions/catch-up.ts';
import { follow, unfollow } from '../actions/follow.ts';
import { followersPage, followingPage, type People, type PeopleInput } from '../actions/people.ts';
import type { Reads } from '../actions/reads.ts';
import { CursorQuery, Followed, PeoplePage, Profile, UserParams } from '../api.ts';
import { keptReads } from '../kept-reads.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { lowerCase, userNamed } from './named.ts';
import { peopleAfter, peoplePage } from './page.ts';

export function peopleRoutes(app: App, services: Services): void {
  app.get('/users/:username', { schema: { params: UserParams, response: { 200: Profile } } }, async (request) => {
    const reads = keptReads(request, services);
    const [user, viewer] = await Promise.all([userNamed(reads, request.params.username), sessions.personOf(request)]);
    const profile = await reads.profile(user.id, viewer?.id ?? null);
    if (profile === null) throw new RequestProblem('unknown_user');
    return { ...profile, server_time_ms: request.claret.clock.nowMs() };
  });

  listRoute(app, services, 'followers', followersPage);
  listRoute(app, services, 'following', followingPage);

  const params = { params: UserParams };
  /** Reads both at once. A visitor without a session is told that first, whatever the path names. */
  const pairOf = async (request: FastifyRequest<{ Params: UserParams }>) => {
    const named = userNamed(keptReads(request, services), request.params.username);
    named.catch(() => undefined);
    return { person: await sessions.requirePerson(request), user: await named };
  };
  app.post('/users/:username/follow', { schema: { ...params, response: { 201: Followed } } }, async (request, reply) => {
    const { claret } = request;
    const { person, user } = await pairOf(request);
    const pair = { follower_id: person.id, followed_id: user.id };
    const reading = newestSeen(claret, user.id);
    reading.catch(() => undefined);
    const done = await follow(claret, { ...pair, username: user.username });
    if (done.refused !== null) throw new RequestProblem(done.refused);
    // The follow is done, whether catching up succeeds or not.
    const catchingUp = async () => catchUp(claret, { ...pair, seen: await reading });
    await catchingUp().catch((error: unknown) => request.log.warn({ err: error }, 'not caught up'));
    return reply.code(201).send({ user, server_time_ms: claret.clock.nowMs() });
  });

  app.delete('/users/:username/follow', { schema: { ...params, response: { 200: Followed } } }, async (request) => {
    const { claret } = request;
    const { person, user } = await pairOf(request);
    const done = await unfollow(claret, { follower_id: person.id, followed_id: user.id });
    if (done.refused !== null) throw new RequestProblem(done.refused);
    return { user, server_time_ms: claret.clock.nowMs() };
  });
}

type ListPage = (claret: Claret, user_id: string, input: PeopleInput, reads: Reads) => Promise<People>;

function listRoute(app: App, services: Services, name: 'followers' | 'following', read: ListPage): void {
  const schema = { params: UserParams, querystring: CursorQuery, response: { 200: PeoplePage } };
  app.get(`/users/:username/${name}`, { schema }, async (request) => {
    const { claret } = request;
    const { username } = request.params;
    const list = `${name} ${lowerCase(username)}` as const;
    const after = peopleAfter(list, request.query.cursor);
    const reads = keptReads(request, services);
    const [user, viewer] = await Promise.all([userNamed(reads, username), sessions.personOf(request)]);
    return peoplePage(claret, list, await read(claret, user.id, { after, viewer_id: viewer?.id ?? null }, reads));
  });
}
