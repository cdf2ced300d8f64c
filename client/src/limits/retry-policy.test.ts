import { describe, expect, it } from 'vitest';
import { attemptDelayUs, deniedDelayUs, policyUnder } from './retry-policy.ts';

describe('the pause before a retry', () => {
  it('grows, stays bounded, and begins far below a millisecond', () => {
    const policy = policyUnder(null, {});
    expect(attemptDelayUs(policy, 1, 0.999)).toBeLessThan(200);
    expect(attemptDelayUs(policy, 5, 0.5)).toBe(1600);
    expect(attemptDelayUs(policy, 50, 0.999)).toBeLessThan(20_000);
    expect(deniedDelayUs(policy, 1, 0.999)).toBeLessThan(100);
    expect(deniedDelayUs(policy, 50, 0.999)).toBeLessThan(2_000);
  });

  it('depends on the conditions, unless the application has chosen it', () => {
    const denied = policyUnder({ phasing: false }, {});
    expect(policyUnder({ phasing: true }, {})).toEqual(policyUnder(null, {}));
    expect(denied).not.toEqual(policyUnder(null, {}));
    expect(policyUnder({ phasing: false }, { denialsMax: 3 })).toEqual({ ...denied, denialsMax: 3 });
  });
});
