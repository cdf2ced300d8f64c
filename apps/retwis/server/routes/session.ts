// Registration, login, logout, and the present session.
import { LoginCheck } from '@claret/site/auth/login.ts';
import { RegistrationCheck } from '@claret/site/auth/registration.ts';
import type { App } from '@claret/site/http.ts';
import { once } from '@claret/site/once.ts';

import { findAccount } from '../actions/find-account.ts';
import { newUser } from '../actions/new-user.ts';
import { LoginRequest, RegisterRequest, Session, type UserRef } from '../api.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

export function sessionRoutes(app: App, { claret, password_cost, registrations_per_hour, dashboard_url }: Services): void {
  const logins = new LoginCheck(password_cost);
  const registrations = new RegistrationCheck({ password_cost, registrations_per_hour });
  const session = (user: UserRef | null): Session => ({ user, dashboard_url, server_time_ms: claret.clock.nowMs() });

  app.get('/session', { schema: { response: { 200: Session } } }, async (request) => session(await sessions.personOf(request)));

  app.post('/register', { schema: { body: RegisterRequest, response: { 201: Session } } }, async (request, reply) => {
    const { username, password } = request.body;
    const credentials = await registrations.credentials(request, password);
    const user = { username, credentials, joined_at_ms: claret.clock.nowMs(key.username(username)) };
    const created = await newUser(request.claret, user, once(request, '', key.username(username)));
    if (created.refused !== null) throw new RequestProblem(created.refused, { field: 'username' });
    const person = { id: created.user_id, username };
    await sessions.logIn(request, reply, person);
    return reply.code(201).send(session(person));
  });

  app.post('/login', { schema: { body: LoginRequest, response: { 200: Session } } }, async (request, reply) => {
    const { username, password } = request.body;
    const find = () => findAccount(request.claret, { username });
    const { person } = await logins.check(request, { name: username, password }, find);
    await sessions.logIn(request, reply, person);
    return session(person);
  });

  app.post('/logout', { schema: { response: { 200: Session } } }, async (request, reply) => {
    await sessions.logOut(request, reply);
    return session(null);
  });
}
