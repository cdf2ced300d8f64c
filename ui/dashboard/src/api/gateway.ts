// Requests to the gateway that serves this page, for everything that the telemetry feed does not deliver. Admin calls need a JSON
// content type even without a body, because a page of another origin cannot send one.

import { keptToken } from './token.ts';

/** A refusal with the gateway's own message (problem+json), or no answer at all (`code` null). */
export class Refusal extends Error {
  readonly code: string | null;

  constructor(code: string | null, words: string) {
    super(words);
    this.code = code;
  }
}

const TIMEOUT_MS = 15_000;

export async function ask<Answer>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
  const token = keptToken();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      cache: 'no-store',
    });
  } catch {
    throw new Refusal(null, 'The cluster does not answer.');
  }
  const told: unknown = await response.json().catch(() => null);
  if (response.ok) return told as Answer;
  const { code, title, detail } = (told ?? {}) as { code?: string; title?: string; detail?: string };
  throw new Refusal(code ?? null, detail ?? title ?? `The cluster refused (HTTP ${response.status}).`);
}
