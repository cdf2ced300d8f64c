// The answer to shed requests. All its variants are made at the start, so that a refusal builds nothing; Retry-After is drawn for each
// refusal.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Problem } from '../problem.ts';
import { RETRY_AFTER_S } from './limits.ts';

/** drawn for each refusal */
export const retryAfterS = (): number => RETRY_AFTER_S.least + Math.floor(Math.random() * (RETRY_AFTER_S.most - RETRY_AFTER_S.least + 1));

export class Refusal {
  readonly #answers: { headers: string[]; body: string }[] = [];
  readonly #bodyBytesMax: number;

  /** `headers`: those of every answer of the site. A body longer than `bodyBytesMax` is not read. */
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

  /** Keeps the connection for the next request, unless a long body would have to be read first. */
  send(request: IncomingMessage, response: ServerResponse): void {
    const { headers, body } = this.#answers[retryAfterS() - RETRY_AFTER_S.least]!;
    if (this.#hasLongBody(request)) response.shouldKeepAlive = false;
    response.writeHead(503, headers);
    response.end(body); // a string: it is sent in one piece with the headers
  }

  #hasLongBody({ method, headers }: IncomingMessage): boolean {
    if (method === 'GET' || method === 'HEAD') return false;
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > this.#bodyBytesMax;
  }
}
