// Who sends a request, by its cookie. Read through the request's own client (cost.ts), which counts what that costs.
//
// The cookie: out of reach of scripts, sent with no request that another site's page makes (the pages are not personal, only
// what they ask the API for is), and over TLS alone where the visitor came by it. Then its name begins with __Host-, which
// browsers take from this very host alone: neither a neighbour domain nor somebody on a plain connection can plant one.
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

  /** As the store has them: a load test opens its visitors' sessions there, without a password. */
  get records(): SessionRecords<Person> {
    return this.#records;
  }

  /** Null: nobody is logged in, or the cookie is no session's. */
  async personOf(request: FastifyRequest): Promise<Person | null> {
    const token_hash = this.#tokenHash(request);
    return token_hash === null ? null : this.#records.read(request.claret, { token_hash, now_ms: Date.now() });
  }

  async requirePerson(request: FastifyRequest): Promise<Person> {
    const person = await this.personOf(request);
    if (person === null) throw new RequestProblem('not_logged_in');
    return person;
  }

  /** Calls back once the session that the request came with is over, wherever it was ended. Returns what ends the waiting. */
  onEnd(claret: Claret, request: FastifyRequest, listener: () => void): () => void {
    const token_hash = this.#tokenHash(request);
    return token_hash === null ? () => undefined : this.#records.onEnd(claret, token_hash, listener);
  }

  /**
   * A new token with every login: one planted before it is worth nothing. The session that the request came with ends as the
   * new one begins: nobody goes on with a token that this browser had.
   */
  async logIn(request: FastifyRequest, reply: FastifyReply, person: Person): Promise<void> {
    const token = newToken();
    const token_hash = hashToken(token);
    if (token_hash === null) throw new Error('a token that is none');
    const replaced_hash = this.#tokenHash(request);
    await this.#records.open(request.claret, { person, token_hash, replaced_hash, now_ms: Date.now() });
    reply.setCookie(this.#cookieName(request), token, { ...cookieOptions(request), maxAge: SESSION_TTL_MS / 1_000 });
  }

  async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const person = await this.personOf(request);
    const token_hash = this.#tokenHash(request);
    if (token_hash !== null && person !== null) await this.#records.end(request.claret, { user_id: person.id, token_hash });
    reply.clearCookie(this.#cookieName(request), cookieOptions(request));
  }

  #tokenHash(request: FastifyRequest): string | null {
    return hashToken(request.cookies[this.#cookieName(request)]);
  }

  #cookieName(request: FastifyRequest): string {
    return request.protocol === 'https' ? `__Host-${this.#cookie}` : this.#cookie;
  }
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' } as const;
}
