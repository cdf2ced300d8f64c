// A visitor's requests to a site: named, counted, with the cookie and the header that the site's pages send. k6 follows no
// redirects and keeps no cookies: sessions are those of the storm's people.
//
// Bodies are read only if they are used.

import http, { type RefinedParams, type RefinedResponse, type ResponseType } from 'k6/http';
import { CSRF_HEADER } from '../../../../ui/site/api/csrf.ts';
import type { StormPerson } from '../storm.ts';
import { outcomeOf } from './outcome.ts';
import type { Told } from './tell.ts';

/** The visitors' timeout. The sites' own deadlines are shorter (docs/running.md). */
export const PATIENCE_S = 10;

export interface Answer extends Told {
  status: number;
  /** null: not requested, or there was no response */
  body: string | null;
}

export class Site {
  readonly #cookie: string;

  /** `name`: as in the site's cookie. */
  constructor(name: 'auctions' | 'timelines') {
    this.#cookie = `claret_${name}`;
  }

  /** Requests a page or its data. The body is discarded. */
  look(name: string, url: string, person: StormPerson | null): Answer {
    return answerOf(Date.now(), http.get(url, this.#params(name, 'page', person, 'none')));
  }

  /** The same, with the body. */
  read(name: string, url: string, person: StormPerson | null): Answer {
    return answerOf(Date.now(), http.get(url, this.#params(name, 'page', person, 'text')));
  }

  /** A write; with the body, which contains the reason of a refusal. `body` null: no request body. */
  write(name: string, method: 'POST' | 'PUT' | 'DELETE', url: string, person: StormPerson | null, body: object | null): Answer {
    const params = this.#params(name, 'write', person, 'text');
    if (body !== null) params.headers!['content-type'] = 'application/json';
    return answerOf(Date.now(), http.request(method, url, body === null ? null : JSON.stringify(body), params));
  }

  /** A log-in or registration, with the token of the new session's cookie. Null: no session began. */
  session(name: string, url: string, body: object): { answer: Answer; token: string | null } {
    const params = this.#params(name, 'write', null, 'text');
    params.headers!['content-type'] = 'application/json';
    const at_ms = Date.now();
    const response = http.post(url, JSON.stringify(body), params);
    const token = response.cookies?.[this.#cookie]?.[0]?.value ?? null;
    http.cookieJar().clear(url);
    return { answer: answerOf(at_ms, response), token };
  }

  #params(name: string, kind: 'page' | 'write', person: StormPerson | null, responseType: 'text' | 'none'): RefinedParams<ResponseType> {
    const headers: Record<string, string> = {};
    if (person !== null) headers['cookie'] = `${this.#cookie}=${person.token}`;
    if (kind === 'write') headers[CSRF_HEADER] = '1';
    return { headers, responseType, redirects: 0, timeout: `${PATIENCE_S}s`, tags: { name, kind } };
  }
}

/** The time includes waiting for a connection, which an overloaded site delays. */
function answerOf(at_ms: number, response: RefinedResponse<ResponseType>): Answer {
  const { status, timings } = response;
  const body = typeof response.body === 'string' ? response.body : null;
  const ms = timings.blocked + timings.connecting + timings.duration;
  return { at_ms, ms: Math.round(ms * 100) / 100, outcome: outcomeOf(status, body), status, body };
}

/** The parsed JSON of a response. Null: it is not JSON, or there is no response. */
export function parsed<Body>({ status, body }: Answer): Body | null {
  if (status < 200 || status >= 300 || body === null) return null;
  try {
    return JSON.parse(body) as Body;
  } catch {
    return null;
  }
}
