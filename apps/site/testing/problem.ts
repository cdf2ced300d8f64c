// For tests: checks every part of an answer that is a problem.
import { expect } from 'vitest';

import type { Answer } from './visitor.ts';

/** The answer's code, after checking its status, headers and body. `statuses`: the site's ERROR_STATUS. */
export function problemIn(statuses: Readonly<Record<string, number>>, answer: Answer): string {
  const { code = 'none', detail } = answer.body;
  expect(answer.body).toMatchObject({ status: statuses[code], type: `/problems/${code}` });
  expect(answer.status).toBe(statuses[code]);
  expect(answer.raw.headers['content-type']).toContain('application/problem+json');
  expect(answer.raw.headers['x-content-type-options']).toBe('nosniff');
  expect(detail).toMatch(/^[A-Z].*[.?!]$/);
  return code;
}
