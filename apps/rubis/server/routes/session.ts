// Register, log in, log out, who am I.
import { findAccount } from '../actions/sessions.ts';
import { newUser } from '../actions/new-user.ts';
import { LoginRequest, RegisterRequest, Session } from '../api.ts';
import { hashPassword, verifyPassword } from '../auth/password.ts';
import { logIn, logOut, personOf } from '../auth/person.ts';
import { FailureLimit } from '../auth/rate-limit.ts';
import { isRegion } from '../data/regions.ts';
import { RequestProblem } from '../problem.ts';
import type { App, Services } from '../services.ts';

const FAILURES_PER_NICKNAME = { budget: 10, window_ms: 5 * 60_000 };
const FAILURES_PER_ADDRESS = { budget: 50, window_ms: 5 * 60_000 };

export function sessionRoutes(app: App, { claret, password_cost }: Services): void {
  const byNickname = new FailureLimit(FAILURES_PER_NICKNAME);
  const byAddress = new FailureLimit(FAILURES_PER_ADDRESS);

  app.get('/session', { schema: { response: { 200: Session } } }, async (request) => ({
    user: await personOf(claret, request),
    server_time_ms: Date.now(),
  }));

  app.post('/register', { schema: { body: RegisterRequest, response: { 201: Session } } }, async (request, reply) => {
    const { nickname, password, region_id } = request.body;
    if (!isRegion(region_id)) throw new RequestProblem('unknown_region', { field: 'region_id' });
    const credentials = await hashPassword(password, password_cost);
    const created = await newUser(claret, { nickname, region_id, credentials, created_at_ms: Date.now() });
    if (created.refused !== null) throw new RequestProblem(created.refused, { field: 'nickname' });
    const person = { id: created.user_id, nickname, region_id };
    await logIn(claret, request, reply, person);
    return reply.code(201).send({ user: person, server_time_ms: Date.now() });
  });

  app.post('/login', { schema: { body: LoginRequest, response: { 200: Session } } }, async (request, reply) => {
    const { nickname, password } = request.body;
    const name = nickname.toLowerCase();
    const wait_ms = Math.max(byNickname.waitMs(name, Date.now()), byAddress.waitMs(request.ip, Date.now()));
    if (wait_ms > 0) throw new RequestProblem('too_many_attempts', { retry_after_s: Math.ceil(wait_ms / 1_000) });
    // Counted before the work, so that a burst of guesses sent at once is counted too.
    byNickname.failed(name, Date.now());
    byAddress.failed(request.ip, Date.now());
    const account = nickname.isWellFormed() ? await findAccount(claret, { nickname }) : null;
    const fits = await verifyPassword(password, account?.credentials ?? null, password_cost);
    if (!fits || account === null) throw new RequestProblem('wrong_credentials');
    byNickname.takeBack(name);
    byAddress.takeBack(request.ip);
    await logIn(claret, request, reply, account.person);
    return { user: account.person, server_time_ms: Date.now() };
  });

  app.post('/logout', { schema: { response: { 200: Session } } }, async (request, reply) => {
    await logOut(claret, request, reply);
    return { user: null, server_time_ms: Date.now() };
  });
}
