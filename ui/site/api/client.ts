// The client of a site's server: one function per verb, problems as typed errors. Each answer's server time and cost are recorded. `Code`
// stands for the site's own stable error codes; a site names them once, in its own api/client.ts.
import { serverClock } from '@claret/ui/kit';
import { pageCosts } from '../cost/pageCosts.ts';
import { COST_HEADER } from '../cost.ts';
import { CSRF_HEADER } from './csrf.ts';
import { patience } from './patience.ts';
import { newRequestKey, REQUEST_KEY_HEADER, RequestKeys, type Failure, type Failures } from './requestKeys.ts';

/** the server's stable code; `network`: no answer; `unexpected`: an answer that is not the site's */
export type ProblemCode<Code extends string = string> = Code | 'network' | 'unexpected';

/** a problem of the server, as application/problem+json */
interface ProblemBody {
  code: string;
  status: number;
  /** one friendly sentence */
  detail: string;
  /** the field of the form that is wrong */
  field?: string;
}

/** A failed request, with one friendly sentence as its message. */
export class ApiProblem<Code extends string = string> extends Error {
  override readonly name = 'ApiProblem';
  readonly code: ProblemCode<Code>;
  /** 0 if there was no answer */
  readonly status: number;
  readonly field: string | undefined;
  /** the server's whole answer, including the extra fields of a site's own codes */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode<Code>, message: string, about: { status?: number; field?: string | undefined; facts?: object } = {}) {
    super(message);
    this.code = code;
    this.status = about.status ?? 0;
    this.field = about.field;
    this.facts = { ...about.facts };
  }
}

const UNREACHABLE = 'The site can’t be reached right now. Please try again in a moment.';
const STILL_UNCLEAR = 'The site is busy and couldn’t confirm whether this worked. Try again in a moment: it won’t happen twice.';
const UNEXPECTED = 'Something unexpected happened. Please try again in a moment.';

// No answer, or one that does not state the outcome of the request.
const UNCLEAR: readonly ProblemCode[] = ['network', 'unexpected', 'outcome_unknown', 'internal'];

/** True if the request certainly had no effect; false if it may have had one. */
export function isSurelyUndone(code: ProblemCode): boolean {
  return !UNCLEAR.includes(code);
}

/** True if the same read may succeed once the site, or the part of the store that it needs, can be reached again. */
export function isPassing(code: ProblemCode): boolean {
  return code === 'network' || code === 'busy';
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await response.json().catch(() => null)) as ProblemBody | null) : null;
  if (problem?.code) return new ApiProblem(problem.code, problem.detail, { status: problem.status, field: problem.field, facts: problem });
  return new ApiProblem('unexpected', UNEXPECTED, { status: response.status });
}

async function request<Answer>(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', [CSRF_HEADER]: '1' };
  if (key !== undefined) headers[REQUEST_KEY_HEADER] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let sent = serverClock.stamp();
  const hearCost = pageCosts.begin(method === 'GET' ? path : null);
  let response: Response;
  try {
    const ask = () => {
      sent = serverClock.stamp();
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return fetch(path, { method, headers, credentials: 'same-origin', ...content });
    };
    response = method === 'GET' ? await patience.ask(ask) : await ask();
  } catch {
    throw new ApiProblem('network', UNREACHABLE);
  }
  hearCost(response.headers.get(COST_HEADER));
  const hearTime = (facts: Readonly<Record<string, unknown>>) => {
    if (typeof facts['server_time_ms'] === 'number') serverClock.observe(facts['server_time_ms'], sent);
  };
  if (!response.ok) {
    const problem = await readProblem(response);
    hearTime(problem.facts);
    throw problem;
  }
  const answer = (await response.json().catch(() => null)) as (Answer & Record<string, unknown>) | null;
  if (answer === null) throw new ApiProblem('unexpected', UNEXPECTED, { status: response.status });
  hearTime(answer);
  return answer;
}

export const get = <Answer>(path: string) => request<Answer>('GET', path);

/** A new idempotency key, by the site's clock. */
export const newKey = (): string => newRequestKey(Math.round(serverClock.now()));

const keys = new RequestKeys(newKey);

/** Idempotent: sent again, by hand or by the browser, it takes effect once. */
export const post = <Answer>(path: string, body?: unknown) =>
  keys.send(`${path} ${JSON.stringify(body)}`, (key) => request<Answer>('POST', path, body, key), failures);

/** The same for a change whose key the caller keeps until its outcome is known, also beyond this page. `failureOf` tells what an error says of it. */
export const postWithKey = <Answer>(key: string, path: string, body?: unknown) => request<Answer>('POST', path, body, key);

/** With these statuses the server has not checked whether the request's key was used before. */
const NOT_LOOKED_UP: readonly number[] = [401, 403, 408, 429];

export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof ApiProblem) || !isSurelyUndone(thrown.code)) return 'unclear';
  const { status, code } = thrown;
  if (code === 'key_expired') return 'expired';
  return status >= 400 && status < 500 && !NOT_LOOKED_UP.includes(status) ? 'refused' : 'undone';
}

const failures: Failures = {
  of: failureOf,
  stillUnclear(thrown) {
    const { status } = thrown as ApiProblem;
    return status < 500 ? thrown : new ApiProblem('outcome_unknown', STILL_UNCLEAR, { status });
  },
};

export const put = <Answer>(path: string) => request<Answer>('PUT', path);
export const del = <Answer>(path: string) => request<Answer>('DELETE', path);

/** Any thrown value as a problem that a page can show. */
export function asProblem<Code extends string = string>(thrown: unknown): ApiProblem<Code> {
  return thrown instanceof ApiProblem ? (thrown as ApiProblem<Code>) : new ApiProblem<Code>('unexpected', UNEXPECTED);
}
