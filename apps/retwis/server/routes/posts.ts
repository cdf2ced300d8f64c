// One post: writing, reading, reposting.
import type { App } from '@claret/site/http.ts';
import { namedRequest } from '@claret/site/once.ts';

import { repostersPage } from '../actions/people.ts';
import { postOnce } from '../actions/post.ts';
import type { Reads } from '../actions/reads.ts';
import { repost, repostsSeen, undoRepost } from '../actions/repost.ts';
import { CursorQuery, PeoplePage, PostPage, PostParams, PostRequest, Posted, Reposted } from '../api.ts';
import { keptReads } from '../kept-reads.ts';
import { key, parseEntry } from '../model.ts';
import { postText } from '../post-text.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { postNamed } from './named.ts';
import { peopleAfter, peoplePage } from './page.ts';

const NOT_POSTED = 'It didn’t arrive in time, and hasn’t been posted. You can send it again.';

export function postRoutes(app: App, services: Services): void {
  // A post has the name of its request. So a request whose key has expired is told what it has done, for certain: it posts nothing now.
  app.post('/posts', { schema: { body: PostRequest, response: { 201: Posted } } }, async (request, reply) => {
    const { person: author, claret } = await sessions.act(request);
    const text = postText(request.body.text);
    const named = namedRequest(request, author.id, key.posts(author.id));
    const made = await postOnce(claret, { author, text, posted_at_ms: claret.clock.nowMs(key.posts(author.id)) }, named);
    if (made.refused !== null) throw new RequestProblem(made.refused, { ...named.expired?.extras, detail: NOT_POSTED });
    const { post_id, posted_at_ms, reached } = made;
    const view = { id: post_id, author, text, posted_at_ms, reposts: 0, reposted: false };
    const entry = { id: post_id, at_ms: posted_at_ms, reposted_by: null, post: view };
    return reply.code(201).send({ entry, reached, server_time_ms: claret.clock.nowMs() });
  });

  app.get('/posts/:post_id', { schema: { params: PostParams, response: { 200: PostPage } } }, async (request) => {
    const viewer = await sessions.personOf(request);
    const view = await postNamed(keptReads(request, services), request.params.post_id, viewer?.id ?? null);
    return { post: view, server_time_ms: request.claret.clock.nowMs() };
  });

  const reposters = { params: PostParams, querystring: CursorQuery, response: { 200: PeoplePage } };
  app.get('/posts/:post_id/reposters', { schema: reposters }, async (request) => {
    const { claret } = request;
    const { post_id } = request.params;
    const list = `reposters ${post_id}` as const;
    const after = peopleAfter(list, request.query.cursor);
    const viewer = await sessions.personOf(request);
    const reads = keptReads(request, services);
    const [, page] = await Promise.all([
      postNamed(reads, post_id, null),
      repostersPage(claret, post_id, { after, viewer_id: viewer?.id ?? null }, reads),
    ]);
    return peoplePage(claret, list, page);
  });

  app.post('/posts/:post_id/repost', { schema: { params: PostParams, response: { 201: Reposted } } }, async (request, reply) => {
    const { post_id } = request.params;
    // Read beside the session. A visitor without a session is told that first, whatever the path names.
    const reposts_seen = repostsSeen(request.claret, { post_id });
    const allowed = refuseReposts(keptReads(request, services), post_id);
    for (const reading of [reposts_seen, allowed]) reading.catch(() => undefined);
    const { person, claret } = await sessions.act(request);
    await allowed;
    const reposted_at_ms = claret.clock.nowMs(key.posts(person.id));
    const done = await repost(claret, { user_id: person.id, post_id, reposted_at_ms, reposts_seen });
    if (done.refused !== null) throw new RequestProblem(done.refused);
    return reply.code(201).send({ post_id, reached: done.reached, server_time_ms: claret.clock.nowMs() });
  });

  app.delete('/posts/:post_id/repost', { schema: { params: PostParams, response: { 200: Reposted } } }, async (request) => {
    const { post_id } = request.params;
    const { person, claret } = await sessions.act(request);
    const undone = await undoRepost(claret, { user_id: person.id, post_id });
    if (undone.refused !== null) throw new RequestProblem(undone.refused);
    return { post_id, reached: undone.reached, server_time_ms: claret.clock.nowMs() };
  });
}

// The id may be that of a repost's entry, which cannot be reposted; only its post can.
async function refuseReposts(reads: Reads, entry_id: string): Promise<void> {
  const { post_id, reposter_id } = parseEntry(entry_id);
  if (reposter_id === null) return;
  await postNamed(reads, post_id, null);
  throw new RequestProblem('repost_of_repost', { post_id });
}
