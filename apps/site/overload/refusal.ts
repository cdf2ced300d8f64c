// The answer of those who are refused, made once: nothing of it is put together while a crowd stands at the gate, but how long to
// wait is drawn anew for each.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Problem } from '../problem.ts';
import { RETRY_AFTER_S } from './limits.ts';

/** Drawn anew for each. */
export const retryAfterS = (): number => RETRY_AFTER_S.least + Math.floor(Math.random() * (RETRY_AFTER_S.most - RETRY_AFTER_S.least + 1));

export class Refusal {
  readonly #answers: { headers: string[]; body: string }[] = [];
  readonly #bodyBytesMax: number;

  /** `headers`: what every answer of the site carries. A body longer than `bodyBytesMax` is not waited for. */
  constructor(problem: Problem, headers: Readonly<Record<string, string>>, bodyBytesMax: number) {
    this.#bodyBytesMax = bodyBytesMax;
    for (let retry_after_s = RETRY_AFTER_S.least; retry_after_s <= RETRY_AFTER_S.most; retry_after_s++) {
      const body = JSON.stringify({ ...problem, retry_after_s });
      const own = {
        'content-type': 'application/problem+json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'cache-control': 'no-store',
        'retry-after': String(retry_after_s),
      };
      this.#answers.push({ headers: Object.entries({ ...headers, ...own }).flat(), body });
    }
  }

  /** The connection is kept for the next request, unless the request's own body would have to be read first for long. */
  send(request: IncomingMessage, response: ServerResponse): void {
    const { headers, body } = this.#answers[retryAfterS() - RETRY_AFTER_S.least]!;
    if (this.#hasLongBody(request)) response.shouldKeepAlive = false;
    response.writeHead(503, headers);
    response.end(body); // a text: it leaves in one piece with the headers
  }

  #hasLongBody({ method, headers }: IncomingMessage): boolean {
    if (method === 'GET' || method === 'HEAD') return false;
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > this.#bodyBytesMax;
  }
}
