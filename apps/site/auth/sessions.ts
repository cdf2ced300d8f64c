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

const DRAWS_MAX = 64;

export class Sessions<Person extends PersonRecord> {
  readonly #records: SessionRecords<Person>;
  readonly #cookie: string;

  readonly #near: (person_id: string) => string;

  /**
   * `site` names keys and cookie, since cookies are shared between ports: 'auctions' gives claret_auctions. `near`: a key of the shard that has a
   * person's records, where their sessions are best.
   */
  constructor(site: string, fields: readonly (keyof Omit<Person, 'id'> & string)[], near: (person_id: string) => string) {
    this.#records = new SessionRecords(site, fields);
    this.#cookie = `claret_${site}`;
    this.#near = near;
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

  /**
   * The person behind a request that changes something, and the client that acts for them. A session that this server remembers is not read first:
   * each transaction of that client proves it, so that it costs no round trip. What the client does without a transaction is not for the person.
   */
  async act(request: FastifyRequest): Promise<{ person: Person; claret: Claret }> {
    const { claret } = request;
    const token_hash = this.#tokenHash(request);
    if (token_hash === null) throw new RequestProblem('not_logged_in');
    const asked = { token_hash, now_ms: this.#records.nowMs(claret, token_hash) };
    const remembered = this.#records.remembered(asked);
    if (remembered === null) return { person: await this.requirePerson(request), claret };
    return { person: remembered, claret: claret.guarded((tx) => this.#records.prove(claret, tx, asked)) };
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
    const { token, token_hash } = this.#newSession(request.claret, person.id);
    const replaced_hash = this.#tokenHash(request);
    const now_ms = this.#records.nowMs(request.claret, token_hash);
    await this.#records.open(request.claret, { person, token_hash, replaced_hash, now_ms });
    reply.setCookie(this.#cookieName(request), token, { ...cookieOptions(request), maxAge: SESSION_TTL_MS / 1_000 });
  }

  /** Draws until the session lies on the shard of the person's records, so that what proves it and changes them is for one shard. */
  #newSession({ topology }: Claret, person_id: string): { token: string; token_hash: string } {
    const shard = topology.shardOf(this.#near(person_id));
    for (let draws = 1; ; draws++) {
      const token = newToken();
      const token_hash = hashToken(token)!;
      if (draws === DRAWS_MAX || topology.shardOf(this.#records.keyOf(token_hash)) === shard) return { token, token_hash };
    }
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
