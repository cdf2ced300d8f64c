// The outcome of a request, from the site's answer.

/**
 * outbid   refused by the rule of the auction: somebody has bid more, or the bidder leads already
 * shed     the site had no room for it, and it has no effect
 * unknown  no answer, or one that says that the change may have happened
 * failed   any other answer: a mistake of the site or of this benchmark
 */
export type Outcome = 'accepted' | 'outbid' | 'shed' | 'unknown' | 'failed';

export const NO_OUTCOMES: Readonly<Record<Outcome, number>> = { accepted: 0, outbid: 0, shed: 0, unknown: 0, failed: 0 };

const OUTBID = /"code":"(?:amount_below_minimum|max_not_raised)"/;
const UNKNOWN = /"code":"outcome_unknown"/;

/** `status` 0: there was no answer. */
export function outcomeOf(status: number, body: string): Outcome {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 0) return 'unknown';
  if (status === 409 && OUTBID.test(body)) return 'outbid';
  if (status === 503 && UNKNOWN.test(body)) return 'unknown';
  return status === 503 || status === 429 ? 'shed' : 'failed';
}
