// For tests: a browser's side of a site without a browser. It keeps its cookie and sends what a page sends.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import type { LightMyRequestResponse } from 'fastify';

import type { App } from '../http.ts';

export type Answer = { status: number; body: Record<string, unknown> & { code?: string; detail?: string }; raw: LightMyRequestResponse };

/** Cheap hashes: with the real cost, hashing would take most of a test's time. */
export const TEST_COST = { log2_n: 4, r: 1, p: 1 };

const LOOKS_MAX = 20;

export class SiteVisitor {
  cookie: string | null = null;
  id = '';
  #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Continues at another app server of the site. */
  at(app: App): this {
    this.#app = app;
    return this;
  }

  /** Retries if the site was too busy on a loaded machine. */
  async get(url: string): Promise<Answer> {
    for (let looks = 1; ; looks++) {
      const answer = await this.send('GET', url, undefined, { [CSRF_HEADER]: '1' });
      if (answer.body.code !== 'busy' || looks === LOOKS_MAX) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  post(url: string, payload?: unknown): Promise<Answer> {
    return this.send('POST', url, payload, { [CSRF_HEADER]: '1' });
  }

  put(url: string, payload?: unknown): Promise<Answer> {
    return this.send('PUT', url, payload, { [CSRF_HEADER]: '1' });
  }

  delete(url: string): Promise<Answer> {
    return this.send('DELETE', url, undefined, { [CSRF_HEADER]: '1' });
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = await this.#app.inject({
      method,
      url,
      headers: { ...headers, ...(this.cookie === null ? {} : { cookie: this.cookie }) },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    const set = raw.headers['set-cookie'];
    if (typeof set === 'string') this.cookie = set.split(';')[0] ?? null;
    const body = raw.body.startsWith('{') ? (raw.json() as Answer['body']) : {};
    return { status: raw.statusCode, body, raw };
  }

  /** Registers with the fields that the site requires. */
  async signUp(fields: Record<string, unknown>): Promise<this> {
    const answer = await this.post('/api/register', fields);
    if (answer.status !== 201) throw new Error(answer.raw.body);
    this.id = (answer.body['user'] as { id: string }).id;
    return this;
  }
}
