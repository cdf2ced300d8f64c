// A visitor's requests to a site: named, counted, with the headers and keys that the site's pages send (browser.ts). k6 follows no
// redirects and keeps no cookies: sessions are those of the storm's people.
//
// Bodies are read only if they are used.

import http, { type BatchRequest, type RefinedParams, type RefinedResponse, type ResponseType } from 'k6/http';
import type { StormPerson } from '../storm.ts';
import { headersOf, keyOf, timesOf, type Method } from '../../../kit/browser.ts';
import { outcomeOf } from './outcome.ts';
import type { Told } from './tell.ts';

/** The visitors' timeout. The sites' own deadlines are shorter (docs/running.md). */
export const PATIENCE_S = 10;

export interface Answer extends Told {
  status: number;
  /** null: not requested, or there was no response */
  body: string | null;
}

export interface Written extends Answer {
  key: string | null;
}

export interface Write {
  /** the visitor's app server, and another one, if there is one */
  at: readonly string[];
  person: StormPerson;
  /** null: no request body */
  body: object | null;
  random: () => number;
}

interface Asked {
  person: StormPerson | null;
  hasBody: boolean;
  key: string | null;
  wantsBody: boolean;
}

export class Site {
  readonly #cookie: string;

  /** `name`: as in the site's cookie. */
  constructor(name: 'auctions' | 'timelines') {
    this.#cookie = `claret_${name}`;
  }

  /** Requests a page or its data. The body is discarded. */
  look(name: string, url: string, person: StormPerson | null): Answer {
    return answerOf(Date.now(), http.get(url, this.#params(name, 'GET', url, { person, wantsBody: false })));
  }

  /** The same, with the body. */
  read(name: string, url: string, person: StormPerson | null): Answer {
    return answerOf(Date.now(), http.get(url, this.#params(name, 'GET', url, { person })));
  }

  /**
   * A write; with the body, which contains the reason of a refusal. Some are sent again, with their key, to another of the site's servers
   * (browser.ts): they take effect once, and the answer is that of either.
   */
  write(name: string, method: 'POST' | 'PUT' | 'DELETE', path: string, { at, person, body, random }: Write): Written {
    const key = keyOf(method, random, Date.now());
    const times = timesOf(key, random);
    const asked = (base: string): BatchRequest => ({
      method,
      url: base + path,
      body: body === null ? null : JSON.stringify(body),
      params: this.#params(name, method, base + path, { person, hasBody: body !== null, key }),
    });
    const at_ms = Date.now();
    const send = (bases: readonly string[]) => http.batch(bases.map(asked)).map((response) => answerOf(at_ms, response));
    const answers = send(times === 'twice' ? at : at.slice(0, 1));
    if (times === 'again') answers.push(...send(at.slice(-1)));
    const answer =
      answers.find(({ outcome }) => outcome === 'accepted') ?? answers.find(({ outcome }) => outcome === 'unknown') ?? answers[0]!;
    return { ...answer, key };
  }

  /** A log-in or registration, with the token of the new session's cookie. Null: no session began. */
  session(name: string, url: string, body: object, random: () => number): { answer: Answer; token: string | null } {
    const at_ms = Date.now();
    const response = http.post(
      url,
      JSON.stringify(body),
      this.#params(name, 'POST', url, { hasBody: true, key: keyOf('POST', random, Date.now()) }),
    );
    const token = response.cookies?.[this.#cookie]?.[0]?.value ?? null;
    http.cookieJar().clear(url);
    return { answer: answerOf(at_ms, response), token };
  }

  #params(name: string, method: Method, url: string, more: Partial<Asked>): RefinedParams<ResponseType> {
    const { person = null, hasBody = false, key = null, wantsBody = true } = more;
    const [origin] = /^\w+:\/\/[^/]+/.exec(url)!;
    const headers = headersOf({ method, origin, cookie: person === null ? null : `${this.#cookie}=${person.token}`, hasBody, key });
    const tags = { name, kind: method === 'GET' ? 'page' : 'write' };
    return { headers, responseType: wantsBody ? 'text' : 'none', redirects: 0, timeout: `${PATIENCE_S}s`, tags };
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
