// Registration, login, logout, and the present session.
import { LoginCheck } from '@claret/site/auth/login.ts';
import { RegistrationCheck } from '@claret/site/auth/registration.ts';
import type { App } from '@claret/site/http.ts';
import { once } from '@claret/site/once.ts';

import { findAccount, type Person } from '../actions/find-account.ts';
import { newUser } from '../actions/new-user.ts';
import { LoginRequest, RegisterRequest, Session } from '../api.ts';
import { isRegion } from '../data/regions.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

export const sessionOf = ({ claret, dashboard_url }: Services, user: Person | null): Session => ({
  user,
  dashboard_url,
  server_time_ms: claret.clock.nowMs(),
});

export function sessionRoutes(app: App, services: Services): void {
  const { claret, password_cost, registrations_per_hour } = services;
  const logins = new LoginCheck(password_cost);
  const registrations = new RegistrationCheck({ password_cost, registrations_per_hour });
  const session = (user: Person | null) => sessionOf(services, user);

  app.get('/session', { schema: { response: { 200: Session } } }, async (request) => session(await sessions.personOf(request)));

  app.post('/register', { schema: { body: RegisterRequest, response: { 201: Session } } }, async (request, reply) => {
    const { nickname, password, region_id } = request.body;
    if (!isRegion(region_id)) throw new RequestProblem('unknown_region', { field: 'region_id' });
    const credentials = await registrations.credentials(request, password);
    const user = { nickname, region_id, credentials, created_at_ms: claret.clock.nowMs(key.nickname(nickname)) };
    const created = await newUser(request.claret, user, once(request, '', key.nickname(nickname)));
    if (created.refused !== null) throw new RequestProblem(created.refused, { field: 'nickname' });
    const person = { id: created.user_id, nickname, region_id };
    await sessions.logIn(request, reply, person);
    return reply.code(201).send(session(person));
  });

  app.post('/login', { schema: { body: LoginRequest, response: { 200: Session } } }, async (request, reply) => {
    const { nickname, password } = request.body;
    const account = await logins.check(request, { name: nickname, password }, () => findAccount(request.claret, { nickname }));
    await sessions.logIn(request, reply, account.person);
    return session(account.person);
  });

  app.post('/logout', { schema: { response: { 200: Session } } }, async (request, reply) => {
    await sessions.logOut(request, reply);
    return session(null);
  });
}
