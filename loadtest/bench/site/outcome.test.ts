import { expect, it } from 'vitest';
import { outcomeOf } from './outcome.ts';

it('only what certainly has no effect counts as refused or shed', () => {
  const problem = (code: string) => `{"type":"/problems/${code}","code":"${code}"}`;
  expect(outcomeOf(201, '{"accepted":true}')).toBe('accepted');
  expect(outcomeOf(409, problem('amount_below_minimum'))).toBe('outbid');
  expect(outcomeOf(409, problem('max_not_raised'))).toBe('outbid');
  expect(outcomeOf(503, problem('overloaded'))).toBe('shed');
  expect(outcomeOf(429, problem('too_many_attempts'))).toBe('shed');
  expect(outcomeOf(503, problem('outcome_unknown'))).toBe('unknown');
  expect(outcomeOf(0, 'socket hang up')).toBe('unknown');
  expect(outcomeOf(409, problem('auction_closed'))).toBe('failed');
  expect(outcomeOf(500, problem('internal'))).toBe('failed');
});
