// Pages of entries: the own timeline, a person's posts, the latest posts, the posts with a hashtag.
import type { App } from '@claret/site/http.ts';

import { latestPage, postsPage, taggedPage, timelinePage } from '../actions/view-page.ts';
import { CursorQuery, EntryPage, TagParams, UserParams } from '../api.ts';
import { parseTag } from '../hashtags.ts';
import { keptReads } from '../kept-reads.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { lowerCase, userNamed } from './named.ts';
import { entriesAfter, entryPage } from './page.ts';

const page = { querystring: CursorQuery, response: { 200: EntryPage } };

export function timelineRoutes(app: App, services: Services): void {
  app.get('/timeline', { schema: page }, async (request) => {
    const person = await sessions.requirePerson(request);
    const list = `timeline ${person.id}` as const;
    const after = entriesAfter(list, request.query.cursor);
    return entryPage(request.claret, list, await timelinePage(request.claret, services.usernames, { user_id: person.id, after }));
  });

  app.get('/users/:username/posts', { schema: { ...page, params: UserParams } }, async (request) => {
    const { claret } = request;
    const { username } = request.params;
    const list = `posts ${lowerCase(username)}` as const;
    const after = entriesAfter(list, request.query.cursor);
    const reads = keptReads(request, services);
    const [user, viewer] = await Promise.all([userNamed(reads, username), sessions.personOf(request)]);
    return entryPage(claret, list, await postsPage(claret, { user, viewer_id: viewer?.id ?? null, after }, reads));
  });

  app.get('/tags/:tag/posts', { schema: { ...page, params: TagParams } }, async (request) => {
    const tag = parseTag(request.params.tag);
    if (tag === null) throw new RequestProblem('invalid_input', { field: 'tag' });
    const list = `tag ${tag}` as const;
    const after = entriesAfter(list, request.query.cursor);
    const viewer = await sessions.personOf(request);
    const input = { viewer_id: viewer?.id ?? null, after };
    return entryPage(request.claret, list, await taggedPage(request.claret, tag, input, keptReads(request, services)));
  });

  app.get('/latest', { schema: page }, async (request) => {
    const after = entriesAfter('latest', request.query.cursor);
    const viewer = await sessions.personOf(request);
    const input = { viewer_id: viewer?.id ?? null, after };
    return entryPage(request.claret, 'latest', await latestPage(request.claret, input, keptReads(request, services)));
  });
}
