// Who a request is from: the site's cookie, a random token of which the store keeps the hash.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { hashToken, newToken } from '../../apps/site/auth/token.ts';
import { Refused } from './problems.ts';
import { SESSION_TTL_S, type AuctionStore, type Person } from './store.ts';

const COOKIE = 'claret_auctions';

/** Null: not logged in. */
export async function personOf(store: AuctionStore, request: FastifyRequest): Promise<Person | null> {
  const token_hash = hashToken(request.cookies[COOKIE]);
  return token_hash === null ? null : store.person(token_hash);
}

export async function requirePerson(store: AuctionStore, request: FastifyRequest): Promise<Person> {
  const person = await personOf(store, request);
  if (person === null) throw new Refused('not_logged_in');
  return person;
}

export async function logIn(store: AuctionStore, reply: FastifyReply, person: Person): Promise<void> {
  reply.setCookie(COOKIE, await newSession(store, person), { path: '/', httpOnly: true, sameSite: 'strict', maxAge: SESSION_TTL_S });
}

/** A new person who is logged in, without a password and its cost; `cookie`: the header of their requests. Null: the nickname is taken. */
export async function newVisitor(
  store: AuctionStore,
  user: { nickname: string; region_id: string },
): Promise<{ person: Person; cookie: string } | null> {
  const id = await store.addUser({ ...user, credentials: null });
  if (id === null) return null;
  const person = { id, ...user };
  return { person, cookie: `${COOKIE}=${await newSession(store, person)}` };
}

async function newSession(store: AuctionStore, person: Person): Promise<string> {
  const token = newToken();
  await store.openSession(hashToken(token)!, person);
  return token;
}
