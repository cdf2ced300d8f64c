// Discovery: trending posts and new people; and the demo accounts.
import { readDataset } from '@claret/site/data/dataset.ts';
import { DEMO_NAMES, DEMO_PASSWORD } from '@claret/site/data/demo.ts';
import type { App } from '@claret/site/http.ts';

import { newestPeople } from '../actions/people.ts';
import { trending } from '../actions/view-page.ts';
import { Demo, PeoplePage, Trending } from '../api.ts';
import { keptReads } from '../kept-reads.ts';
import { key } from '../model.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

export function listRoutes(app: App, services: Services): void {
  app.get('/trending', { schema: { response: { 200: Trending } } }, async (request) => {
    const { claret } = request;
    const viewer = await sessions.personOf(request);
    const server_time_ms = claret.clock.nowMs();
    return { posts: await trending(claret, { viewer_id: viewer?.id ?? null }, keptReads(request, services)), server_time_ms };
  });

  app.get('/people', { schema: { response: { 200: PeoplePage } } }, async (request) => {
    const { claret } = request;
    const viewer = await sessions.personOf(request);
    const people = await newestPeople(claret, { viewer_id: viewer?.id ?? null }, keptReads(request, services));
    return { people, next_cursor: null, server_time_ms: claret.clock.nowMs() };
  });

  app.get('/demo', { schema: { response: { 200: Demo } } }, async (request) => {
    const { state } = await readDataset(request.claret, key.dataset);
    const accounts = state === 'loaded' ? DEMO_NAMES.map((username) => ({ username, password: DEMO_PASSWORD })) : [];
    return { accounts, server_time_ms: request.claret.clock.nowMs() };
  });
}
