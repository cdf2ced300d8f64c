// Rest: the administration of a gateway, over REST: a call with its answer, a file, a stream of events. Each has a time limit, and a
// failure is a problem in words.

import { EventSourceParserStream } from 'eventsource-parser/stream';
import { EXIT, Problem, TOKEN_HINT, sentence, usageProblem } from './problem.ts';

export interface Gateway {
  /** host:port of its REST; of the next one that was named, once nobody listens there */
  address: string;
  /** those that are named after it */
  others: string[];
  token: string;
  timeoutMs: number;
}

export const DEFAULT_GATEWAY = '127.0.0.1:7400';
const DEFAULT_PORT = 7400;

/** Converts `host`, `host:port`, `[::1]:port` or `http://host:port` to host:port. Throws a usage problem. */
export function readAddress(text: string): string {
  const bare = text.replace(/^http:\/\//, '').replace(/\/$/, '');
  const wrong = usageProblem(`'${text}' is not the address of a gateway.`, `An address is host:port, as in ${DEFAULT_GATEWAY}.`);
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(bare)) throw wrong;
  const address = /:\d+$/.test(bare.replace(/^\[.*\]/, '')) ? bare : `${bare}:${DEFAULT_PORT}`;
  if (!URL.canParse(`http://${address}`)) throw wrong;
  return address;
}

/** Converts addresses that commas separate. Throws a usage problem. */
export function readAddresses(text: string): [string, ...string[]] {
  const [first = '', ...others] = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return [readAddress(first), ...others.map(readAddress)];
}

interface ProblemDocument {
  code?: string;
  detail?: string;
  retryable?: boolean;
  commit_state?: string;
  /** with type_broken */
  report?: unknown;
}

const asText = (error: unknown): string => {
  const { cause } = error as { cause?: { name?: string; code?: string; message?: string } };
  if (cause?.name === NOT_HTTP) return NOT_HTTP;
  return cause?.code ?? cause?.message ?? (error as Error).message;
};

/** The name that `fetch` gives to the error of an answer in another protocol. */
const NOT_HTTP = 'HTTPParserError';
/** The message with which `fetch` refuses the ports that browsers block. */
const BAD_PORT = 'bad port';

/** Codes of errors that mean that no process listens at the address. */
const ABSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

export class Rest {
  readonly gateway: Gateway;
  readonly #interrupted: AbortSignal;
  /** addresses at which nobody listens */
  readonly #absent: string[] = [];

  constructor(gateway: Gateway, interrupted: AbortSignal) {
    this.gateway = gateway;
    this.#interrupted = interrupted;
  }

  /** Gets the JSON at a path of the gateway, or of another shard's gateway at `address`. */
  async get<T>(path: string, address: string | null = null): Promise<T> {
    return (await this.#bounded(path, {}, address, (answer) => answer.json())) as T;
  }

  async getText(path: string, address: string | null = null): Promise<string> {
    return this.#bounded(path, {}, address, (answer) => answer.text());
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#change('PUT', path, body);
  }

  /** `withinMs`: for what may take longer than the time limit */
  post<T>(path: string, body: unknown, withinMs = 0): Promise<T> {
    return this.#change('POST', path, body, withinMs);
  }

  delete<T>(path: string): Promise<T> {
    return this.#change('DELETE', path, undefined);
  }

  async #change<T>(method: string, path: string, body: unknown, withinMs = 0): Promise<T> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = { method, ...content, headers: { 'content-type': 'application/json' } };
    return (await this.#bounded(path, request, null, (answer) => answer.json(), withinMs)) as T;
  }

  /** Opens an answer that may take long. It has to begin in time; after that only `signal` ends it. */
  async open(path: string, signal: AbortSignal, beginsWithinMs = this.gateway.timeoutMs): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), beginsWithinMs);
    try {
      return await this.#ask(path, {}, null, AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Yields server-sent events until `signal` or the gateway ends the stream. */
  async *events(path: string, signal: AbortSignal): AsyncGenerator<{ event: string; data: string }> {
    const answer = await this.open(path, signal);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield { event: value.event ?? 'message', data: value.data };
      }
    } catch (error) {
      if (!signal.aborted) throw this.#unreached(error, this.gateway.address);
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  async #bounded<T>(
    path: string,
    request: RequestInit,
    address: string | null,
    read: (answer: Response) => Promise<T>,
    withinMs = 0,
  ): Promise<T> {
    const limit = AbortSignal.timeout(Math.max(withinMs, this.gateway.timeoutMs));
    const answer = await this.#ask(path, request, address, AbortSignal.any([this.#interrupted, limit]));
    try {
      return await read(answer);
    } catch (error) {
      throw this.#unreached(error, address ?? this.gateway.address);
    }
  }

  /** `address`: null: of the gateway, or of the first that is named after it and is there. */
  async #ask(path: string, request: RequestInit, address: string | null, signal: AbortSignal): Promise<Response> {
    const { token } = this.gateway;
    const headers = { ...(request.headers as Record<string, string>), ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
    for (;;) {
      const at = address ?? this.gateway.address;
      let answer: Response;
      try {
        answer = await fetch(`http://${at}${path}`, { ...request, headers, signal });
      } catch (error) {
        if (address === null && ABSENT.has(asText(error)) && this.#goOn(at)) continue;
        throw this.#unreached(error, at);
      }
      if (answer.ok) return answer;
      throw refusal(answer.status, (await answer.json().catch(() => ({}))) as ProblemDocument, at);
    }
  }

  /** Nobody listens at that address. Returns whether there is another one to ask. */
  #goOn(at: string): boolean {
    const { gateway } = this;
    if (gateway.address !== at) return true; // another call has gone on already
    const next = gateway.others.shift();
    if (next === undefined) return false;
    this.#absent.push(at);
    gateway.address = next;
    return true;
  }

  #unreached(error: unknown, address: string): Problem {
    if (this.#interrupted.aborted) return new Problem(EXIT.failed, 'interrupted', 'Interrupted.');
    const reason = asText(error);
    if (reason === BAD_PORT) return usageProblem(`${address} is not the address of a gateway: nothing is asked at that port.`);
    if (reason === NOT_HTTP) return notOurs(address, 'does not speak HTTP');
    const hint = 'Name one that is up with --gateway or CLARET_GATEWAY, or several with commas; `npm start` starts a demo.';
    const away = { hint, address };
    const all = address === this.gateway.address ? [...this.#absent, address] : [address];
    if (ABSENT.has(reason)) return new Problem(EXIT.unreachable, 'no_gateway', `No gateway at ${all.join(', ')}.`, away);
    if ((error as Error).name === 'TimeoutError') {
      return new Problem(
        EXIT.unreachable,
        'no_gateway',
        `The gateway at ${address} did not answer within ${this.gateway.timeoutMs / 1000} s.`,
        { hint: 'Another one can be named with --gateway.', address },
      );
    }
    return new Problem(EXIT.unreachable, 'no_gateway', `The gateway at ${address} broke off: ${reason}.`, away);
  }
}

function notOurs(address: string, what: string): Problem {
  return new Problem(EXIT.unreachable, 'no_gateway', `What listens at ${address} ${what}.`, {
    hint: '--gateway takes the REST address of a gateway, as `npm start` prints it.',
    address,
  });
}

function refusal(status: number, document: ProblemDocument, address: string): Problem {
  const { code, detail, retryable, commit_state: commitState, report } = document;
  if (code === undefined) {
    return notOurs(address, `answered with status ${status}, and not as a gateway does`);
  }
  const hint = code === 'unauthenticated' ? TOKEN_HINT : retryable === true ? 'It can be tried again.' : undefined;
  const exit = code === 'shard_unavailable' || code === 'recovering' || code === 'closing' ? EXIT.unreachable : EXIT.failed;
  return new Problem(exit, code, sentence(detail ?? code), { hint, retryable, commit_state: commitState, report });
}
