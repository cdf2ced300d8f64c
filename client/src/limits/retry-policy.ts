// RetryPolicy: the pauses before a denied request or a failed attempt is repeated, and how often that may happen.

/** A pause is uniform up to a bound that starts at `first` and doubles up to `longest`. */
export interface RetryPolicy {
  /** how often a denied request is sent again, keeping the locks of its attempt, before the attempt is given up */
  denialsMax: number;
  denialFirstUs: number;
  denialLongestUs: number;
  /** before the next attempt */
  attemptFirstUs: number;
  attemptLongestUs: number;
}

const POLICY: RetryPolicy = {
  denialsMax: 8,
  denialFirstUs: 100,
  denialLongestUs: 2_000,
  attemptFirstUs: 200,
  attemptLongestUs: 20_000,
};

/** The best values found without phasing, where a conflict is denied instead of queued (docs/decisions/0006). */
const POLICY_WITHOUT_PHASING: RetryPolicy = {
  denialsMax: 4,
  denialFirstUs: 50,
  denialLongestUs: 400,
  attemptFirstUs: 2_000,
  attemptLongestUs: 20_000,
};

/** The policy for the cluster's conditions, as far as they are known. The application's choice has priority. */
export function policyUnder(conditions: { phasing: boolean } | null, chosen: Partial<RetryPolicy>): RetryPolicy {
  return { ...(conditions === null || conditions.phasing ? POLICY : POLICY_WITHOUT_PHASING), ...chosen };
}

/** The pause before the attempt after `retries` failed ones. */
export function attemptDelayUs(policy: RetryPolicy, retries: number, random: number): number {
  return random * Math.min(policy.attemptLongestUs, policy.attemptFirstUs * 2 ** Math.min(retries - 1, 20));
}

/** The pause before a request that was denied `denials` times is sent again. */
export function deniedDelayUs(policy: RetryPolicy, denials: number, random: number): number {
  return random * Math.min(policy.denialLongestUs, policy.denialFirstUs * 2 ** Math.min(denials - 1, 20));
}
