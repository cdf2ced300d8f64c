// The catalogue; registration, login and the session; people and the inbox.
import { Type } from 'typebox';

import { Catalogue, Inbox, InboxQuery, LoginRequest, RegisterRequest, Session, UserParams, UserView } from '../../apps/rubis/server/api.ts';
import { CATEGORIES } from '../../apps/rubis/server/data/categories.ts';
import { isRegion, REGIONS } from '../../apps/rubis/server/data/regions.ts';
import { INCREMENTS } from '../../apps/rubis/server/model.ts';
import type { App } from '../../apps/site/http.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { Refused } from './problems.ts';
import type { AuctionStore, Person } from './store.ts';
import { cardOf, NO_RATING, noticesOf } from './views.ts';
import { logIn, personOf, requirePerson } from './visitors.ts';

const ConditionsNow = Type.Object({ unusual: Type.Null(), server_time_ms: Type.Integer() });

export const sessionOf = (user: Person | null): Session => ({ user, dashboard_url: null, server_time_ms: Date.now() });

/** Nothing marks notices as read, so all are unread. */
export async function inboxOf(store: AuctionStore, { id }: Person): Promise<Inbox> {
  const now_ms = Date.now();
  const notices = noticesOf(await store.mine(id), id, now_ms);
  return { notices, unread: notices.length, seen_until_ms: 0, server_time_ms: now_ms };
}

export function peopleRoutes(app: App, store: AuctionStore): void {
  app.get('/catalogue', { schema: { response: { 200: Catalogue } } }, async () => ({
    categories: [...CATEGORIES],
    regions: [...REGIONS],
    increments: [...INCREMENTS],
    demo_accounts: [],
  }));

  app.get('/conditions', { schema: { response: { 200: ConditionsNow } } }, async () => ({ unusual: null, server_time_ms: Date.now() }));

  app.get('/session', { schema: { response: { 200: Session } } }, async (request) => sessionOf(await personOf(store, request)));

  app.post('/register', { schema: { body: RegisterRequest, response: { 201: Session } } }, async (request, reply) => {
    const { nickname, password, region_id } = request.body;
    if (!isRegion(region_id)) throw new Refused('unknown_region', { field: 'region_id' });
    const id = await store.addUser({ nickname, region_id, credentials: await hashPassword(password) });
    if (id === null) throw new Refused('nickname_taken', { field: 'nickname' });
    const person = { id, nickname, region_id };
    await logIn(store, reply, person);
    return reply.code(201).send(sessionOf(person));
  });

  app.post('/login', { schema: { body: LoginRequest, response: { 200: Session } } }, async (request, reply) => {
    const account = await store.account(request.body.nickname);
    const fits = await verifyPassword(request.body.password, account?.credentials ?? null);
    if (account === null || !fits) throw new Refused('wrong_credentials');
    await logIn(store, reply, account.person);
    return sessionOf(account.person);
  });

  app.get('/users/:user_id', { schema: { params: UserParams, response: { 200: UserView } } }, async (request) => {
    const found = await store.user(request.params.user_id);
    if (found === null) throw new Refused('unknown_user');
    const now_ms = Date.now();
    const selling = found.selling.map((auction) => cardOf(auction, now_ms));
    return { user: found.user, rating: NO_RATING, comments: [], selling, server_time_ms: now_ms };
  });

  app.get('/me/inbox', { schema: { querystring: InboxQuery, response: { 200: Inbox } } }, async (request) =>
    inboxOf(store, await requirePerson(store, request)),
  );
}
