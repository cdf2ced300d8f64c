// The person behind a request, by their session cookie.
//
// The cookie is out of reach of scripts, and is not sent with requests that another site's page makes (pages are not personal, only API
// answers are). For a visitor who came by TLS it is sent over TLS only, and its name begins with __Host-: browsers accept such a cookie
// from this very host alone, so neither a neighbouring domain nor a plain connection can plant one.
import type { Claret } from '@claret/client';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { RequestProblem } from '../problem.ts';
import { SESSION_TTL_MS, SessionRecords, type PersonRecord } from './session-records.ts';
import { hashToken, newToken } from './token.ts';

export class Sessions<Person extends PersonRecord> {
  readonly #records: SessionRecords<Person>;
  readonly #cookie: string;

  /** `site` names keys and cookie, since cookies are shared between ports: 'auctions' gives claret_auctions. */
  constructor(site: string, fields: readonly (keyof Omit<Person, 'id'> & string)[]) {
    this.#records = new SessionRecords(site, fields);
    this.#cookie = `claret_${site}`;
  }

  /** The records in the store: a load test opens its visitors' sessions there, without a password. */
  get records(): SessionRecords<Person> {
    return this.#records;
  }

  /** Null: not logged in, or the cookie belongs to no session. */
  async personOf(request: FastifyRequest): Promise<Person | null> {
    const token_hash = this.#tokenHash(request);
    if (token_hash === null) return null;
    return this.#records.read(
      request.claret,
      { token_hash, now_ms: this.#records.nowMs(request.claret, token_hash) },
      request.scope ?? undefined,
    );
  }

  async requirePerson(request: FastifyRequest): Promise<Person> {
    const person = await this.personOf(request);
    if (person === null) throw new RequestProblem('not_logged_in');
    return person;
  }

  /** Calls back once the request's session has ended, on whichever server. Returns a function that cancels the callback. */
  onEnd(claret: Claret, request: FastifyRequest, listener: () => void): () => void {
    const token_hash = this.#tokenHash(request);
    return token_hash === null ? () => undefined : this.#records.onEnd(claret, token_hash, listener);
  }

  /**
   * Every login gets a new token, so that a token planted before is worthless. The request's old session ends in the same transaction as
   * the new one begins: tokens that this browser had before are no longer valid.
   */
  async logIn(request: FastifyRequest, reply: FastifyReply, person: Person): Promise<void> {
    const token = newToken();
    const token_hash = hashToken(token);
    if (token_hash === null) throw new Error('a new token is malformed');
    const replaced_hash = this.#tokenHash(request);
    const now_ms = this.#records.nowMs(request.claret, token_hash);
    await this.#records.open(request.claret, { person, token_hash, replaced_hash, now_ms });
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
