// The door to the app server: one function per verb, problems as typed errors, and every answer's server time heard.
import { serverClock } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

const CSRF_HEADER: typeof api.CSRF_HEADER = 'x-claret-csrf';

/** The server's stable code; `network`: no answer came; `unexpected`: an answer that is not ours. */
export type ProblemCode = api.ErrorCode | 'network' | 'unexpected';

/** What went wrong, with one friendly sentence as its message. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly min_next_bid_cents: number | undefined;

  constructor(code: ProblemCode, message: string, problem: Partial<api.Problem> = {}) {
    super(message);
    this.code = code;
    this.status = problem.status ?? 0;
    this.field = problem.field;
    this.min_next_bid_cents = problem.min_next_bid_cents;
  }
}

const UNREACHABLE = 'The site cannot be reached just now. Nothing was changed; please try again.';
const UNEXPECTED = 'The site gave an answer that this page does not understand. Please try again in a moment.';

async function readProblem(response: Response): Promise<ApiProblem> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await response.json().catch(() => null)) as api.Problem | null) : null;
  if (problem?.code) return new ApiProblem(problem.code, problem.detail, problem);
  return new ApiProblem('unexpected', UNEXPECTED, { status: response.status });
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET') headers[CSRF_HEADER] = '1';
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = serverClock.stamp();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiProblem('network', UNREACHABLE);
  }
  if (!response.ok) throw await readProblem(response);
  const answer = (await response.json().catch(() => null)) as (Answer & { server_time_ms?: number }) | null;
  if (answer === null) throw new ApiProblem('unexpected', UNEXPECTED, { status: response.status });
  if (typeof answer.server_time_ms === 'number') serverClock.observe(answer.server_time_ms, sent);
  return answer;
}

export const get = <Answer>(path: string) => request<Answer>('GET', path);
export const post = <Answer>(path: string, body?: unknown) => request<Answer>('POST', path, body);

/** Any thrown value as a problem that a page can show. */
export function asProblem(thrown: unknown): ApiProblem {
  return thrown instanceof ApiProblem ? thrown : new ApiProblem('unexpected', UNEXPECTED);
}
