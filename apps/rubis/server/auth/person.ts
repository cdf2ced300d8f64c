// Who sends a request, by its cookie.
import type { Claret } from '@claret/client';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { endSession, openSession, readSession, type Person } from '../actions/sessions.ts';
import { SESSION_TTL_MS } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import { SESSION_COOKIE, hashToken, newToken } from './token.ts';

// Null: nobody is logged in, or the cookie is no session's.
export async function personOf(claret: Claret, request: FastifyRequest): Promise<Person | null> {
  const token_hash = hashToken(request.cookies[SESSION_COOKIE]);
  return token_hash === null ? null : readSession(claret, { token_hash, now_ms: Date.now() });
}

export async function requirePerson(claret: Claret, request: FastifyRequest): Promise<Person> {
  const person = await personOf(claret, request);
  if (person === null) throw new RequestProblem('not_logged_in');
  return person;
}

// A new token with every login: one planted before it is worth nothing.
export async function logIn(claret: Claret, request: FastifyRequest, reply: FastifyReply, person: Person): Promise<void> {
  const token = newToken();
  const token_hash = hashToken(token);
  if (token_hash === null) throw new Error('a token that is none');
  await openSession(claret, { person, token_hash, now_ms: Date.now() });
  reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(request), maxAge: SESSION_TTL_MS / 1_000 });
}

export async function logOut(claret: Claret, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token_hash = hashToken(request.cookies[SESSION_COOKIE]);
  const person = token_hash === null ? null : await readSession(claret, { token_hash, now_ms: Date.now() });
  if (token_hash !== null && person !== null) await endSession(claret, { person, token_hash });
  reply.clearCookie(SESSION_COOKIE, cookieOptions(request));
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const;
}
