// Who sends a request, by its cookie. Read through the request's own client (cost.ts), which counts what that costs.
import type { Claret } from '@claret/client';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { RequestProblem } from '../problem.ts';
import { SESSION_TTL_MS, SessionRecords, type PersonRecord } from './session-records.ts';
import { hashToken, newToken } from './token.ts';

export class Sessions<Person extends PersonRecord> {
  readonly #records: SessionRecords<Person>;
  readonly #cookie: string;

  /** `site` names keys and cookie, since cookies do not tell ports apart: 'auctions' gives claret_auctions. */
  constructor(site: string, fields: readonly (keyof Omit<Person, 'id'> & string)[]) {
    this.#records = new SessionRecords(site, fields);
    this.#cookie = `claret_${site}`;
  }

  /** Null: nobody is logged in, or the cookie is no session's. */
  async personOf(request: FastifyRequest): Promise<Person | null> {
    const token_hash = hashToken(request.cookies[this.#cookie]);
    return token_hash === null ? null : this.#records.read(request.claret, { token_hash, now_ms: Date.now() });
  }

  async requirePerson(request: FastifyRequest): Promise<Person> {
    const person = await this.personOf(request);
    if (person === null) throw new RequestProblem('not_logged_in');
    return person;
  }

  /** Calls back once the session that the request came with is over, wherever it was ended. Returns what ends the waiting. */
  onEnd(claret: Claret, request: FastifyRequest, listener: () => void): () => void {
    const token_hash = hashToken(request.cookies[this.#cookie]);
    return token_hash === null ? () => undefined : this.#records.onEnd(claret, token_hash, listener);
  }

  /** A new token with every login: one planted before it is worth nothing. */
  async logIn(request: FastifyRequest, reply: FastifyReply, person: Person): Promise<void> {
    const token = newToken();
    const token_hash = hashToken(token);
    if (token_hash === null) throw new Error('a token that is none');
    await this.#records.open(request.claret, { person, token_hash, now_ms: Date.now() });
    reply.setCookie(this.#cookie, token, { ...cookieOptions(request), maxAge: SESSION_TTL_MS / 1_000 });
  }

  async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const person = await this.personOf(request);
    const token_hash = hashToken(request.cookies[this.#cookie]);
    if (token_hash !== null && person !== null) await this.#records.end(request.claret, { user_id: person.id, token_hash });
    reply.clearCookie(this.#cookie, cookieOptions(request));
  }
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const;
}
