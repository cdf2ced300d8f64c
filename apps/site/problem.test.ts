// The errors of a request as its visitor sees them.
import { ClaretError } from '@claret/client';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';

import { TooManyHashes } from './auth/password.ts';
import { Problems, RequestProblem, type ProblemTable, type SharedCode } from './problem.ts';

const STATUS: Record<SharedCode | 'unknown_thing' | 'not_a_number', number> = {
  invalid_input: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_cursor: 400,
  not_logged_in: 401,
  wrong_credentials: 401,
  too_many_attempts: 429,
  csrf_missing: 403,
  unknown_route: 404,
  busy: 503,
  overloaded: 503,
  outcome_unknown: 503,
  key_expired: 409,
  too_many_streams: 503,
  internal: 500,
  unknown_thing: 404,
  not_a_number: 400,
};

const table: ProblemTable<'unknown_thing' | 'not_a_number'> = {
  status: STATUS,
  details: Object.fromEntries(Object.keys(STATUS).map((code) => [code, `About ${code}.`])) as typeof table.details,
  field_details: { name: 'A name is a text.' },
  field_codes: { amount: 'not_a_number' },
  param_codes: { id: 'unknown_thing' },
};

const problems = new Problems(table);

async function answerTo(error: Error, headers: Record<string, string> = {}) {
  const app = Fastify();
  app.setErrorHandler(problems.handle);
  app.get('/', async () => {
    throw error;
  });
  const answer = await app.inject({ url: '/', headers });
  await app.close();
  return answer;
}

type Details = ConstructorParameters<typeof ClaretError>[0];
const storeError = (fields: Partial<Details>) => new ClaretError({ code: 'internal', message: 'shard 2', ...fields });

describe('An error of the store', () => {
  test('is busy if nothing happened and a retry may succeed', async () => {
    for (const fields of [{ retryable: true }, { code: 'gave_up' }, { code: 'shard_unavailable' }] as Partial<Details>[]) {
      const answer = await answerTo(storeError({ ...fields, commitState: 'none' }));
      expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'busy', retry_after_s: 1 }]);
      expect(answer.headers['retry-after']).toBe('1');
    }
  });

  test('is an unknown outcome if the transaction may have committed, also if it is retryable', async () => {
    const answer = await answerTo(storeError({ retryable: true, commitState: 'unknown' }));
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'outcome_unknown', detail: 'About outcome_unknown.' }]);
    const keyed = await answerTo(storeError({ commitState: 'unknown' }), { 'idempotency-key': 'a-key-of-the-page' });
    expect(keyed.json()).toMatchObject({ code: 'outcome_unknown', detail: expect.stringContaining('won’t happen twice') });
  });

  test('otherwise is an internal error without details', async () => {
    const answer = await answerTo(storeError({ code: 'wrong_type', commitState: 'none', message: 'key {user:7}:secret' }));
    expect([answer.statusCode, answer.json()]).toMatchObject([500, { code: 'internal', detail: 'About internal.' }]);
    expect(answer.body).not.toContain('secret');
  });
});

test('An unexpected error reveals nothing about itself', async () => {
  const answer = await answerTo(new TypeError('secret'));
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { type: '/problems/internal', title: 'internal', status: 500, code: 'internal', detail: 'About internal.' },
  ]);
});

test('A refusal carries its extras and a Retry-After', async () => {
  class Own extends RequestProblem<'unknown_thing', { detail?: string; nearest_id?: string }> {}
  expect((await answerTo(new Own('unknown_thing', { nearest_id: 'x' }))).json()).toMatchObject({ code: 'unknown_thing', nearest_id: 'x' });
  const flooded = await answerTo(new TooManyHashes());
  expect([flooded.statusCode, flooded.headers['retry-after'], flooded.json()]).toMatchObject([503, '5', { code: 'busy' }]);
});

describe('Invalid input', () => {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  app.setErrorHandler(problems.handle);
  const number = { type: 'number' };
  app.post(
    '/:id',
    {
      schema: {
        params: { type: 'object', properties: { id: { type: 'string', maxLength: 3 } } },
        body: {
          type: 'object',
          required: ['amount'],
          additionalProperties: false,
          properties: { amount: number, name: { type: 'string' }, id: number, other: number },
        },
      },
    },
    async () => ({}),
  );
  const answerOf = async (url: string, payload: object) => (await app.inject({ method: 'POST', url, payload })).json();

  const cases: [what: string, url: string, payload: object, problem: object][] = [
    ['has its field’s sentence', '/a', { amount: 1, name: 2 }, { code: 'invalid_input', field: 'name', detail: 'A name is a text.' }],
    ['has its field’s own code', '/a', { amount: 'x' }, { code: 'not_a_number', field: 'amount' }],
    ['that is missing has it too', '/a', {}, { code: 'not_a_number', field: 'amount' }],
    [
      'has the code’s sentence where its field has none',
      '/a',
      { amount: 1, other: 'x' },
      { code: 'invalid_input', field: 'other', detail: 'About invalid_input.' },
    ],
    ['in the address names nothing that exists', '/toolong', { amount: 1 }, { code: 'unknown_thing', field: 'id' }],
    ['of that name elsewhere is just wrong', '/a', { amount: 1, id: 'x' }, { code: 'invalid_input', field: 'id' }],
    [
      'is not taken for what every object has',
      '/a',
      { amount: 1, valueOf: 1 },
      { code: 'invalid_input', field: 'valueOf', detail: 'About invalid_input.' },
    ],
  ];
  test.each(cases)('%s', async (_what, url, payload, problem) => expect(await answerOf(url, payload)).toMatchObject(problem));
});
