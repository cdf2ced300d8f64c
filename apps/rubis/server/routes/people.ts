// One person: as others see them, and as they see themselves.
import type { App } from '@claret/site/http.ts';

import { myItems } from '../actions/my-page.ts';
import { viewUser } from '../actions/view-user.ts';
import { MyPage, UserParams, UserView } from '../api.ts';
import { keptReads } from '../kept-reads.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

export function peopleRoutes(app: App, { computations }: Services): void {
  app.get('/users/:user_id', { schema: { params: UserParams, response: { 200: UserView } } }, async (request) => {
    const now_ms = request.claret.clock.nowMs();
    const input = { user_id: request.params.user_id, now_ms };
    const viewed = await viewUser(request.claret, input, keptReads(request, computations));
    if (viewed.refused !== null) throw new RequestProblem(viewed.refused);
    return { ...viewed.page, server_time_ms: now_ms };
  });

  app.get('/me', { schema: { response: { 200: MyPage } } }, async (request) => {
    const person = await sessions.requirePerson(request);
    const now_ms = request.claret.clock.nowMs();
    const input = { user_id: person.id, now_ms };
    const [viewed, items] = await Promise.all([
      viewUser(request.claret, input, keptReads(request, computations)),
      myItems(request.claret, input),
    ]);
    if (viewed.refused !== null) throw new RequestProblem(viewed.refused);
    const { user, rating, comments } = viewed.page;
    return { user, rating, comments, ...items, server_time_ms: now_ms };
  });
}
