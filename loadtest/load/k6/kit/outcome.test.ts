import { expect, it } from 'vitest';
import { outcomeOf, outcomeOfGrpc } from './outcome.ts';

const problem = (code: string) =>
  JSON.stringify({ type: `/problems/${code}`, title: code, status: 0, code, detail: 'A sentence with "quotes".' });

it.each([
  [201, '{"accepted":true}', 'accepted'],
  [200, null, 'accepted'],
  [409, problem('amount_below_minimum'), 'refused:amount_below_minimum'],
  [429, problem('too_many_attempts'), 'refused:too_many_attempts'],
  [404, null, 'failed'],
  [404, '<h1>Not found</h1>', 'failed'],
  [404, problem('unknown_route'), 'failed'],
  [400, problem('invalid_input'), 'failed'],
  [401, problem('not_logged_in'), 'failed'],
  [503, problem('overloaded'), 'shed'],
  [503, problem('busy'), 'shed'],
  [429, problem('overloaded'), 'shed'],
  [503, null, 'shed'],
  [503, problem('outcome_unknown'), 'unknown'],
  [0, null, 'unknown'],
  [0, '', 'unknown'],
  [500, problem('internal'), 'failed'],
  [503, 'upstream is away', 'failed'],
  [502, '', 'failed'],
  [302, '', 'failed'],
] as const)('%i %s is %s', (status, body, outcome) => {
  expect(outcomeOf(status, body)).toBe(outcome);
});

it.each([
  [0, 'accepted'],
  [8, 'shed'],
  [14, 'shed'],
  [10, 'shed'],
  [4, 'unknown'],
  [1, 'unknown'],
  [13, 'failed'],
  [2, 'failed'],
  [9, 'refused:grpc_9'],
  [11, 'refused:grpc_11'],
  [3, 'failed'],
  [5, 'failed'],
  [12, 'failed'],
  [NaN, 'failed'],
] as const)('gRPC status %i is %s', (status, outcome) => {
  expect(outcomeOfGrpc(status)).toBe(outcome);
});
