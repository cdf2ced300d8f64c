// RateLimiter: so many requests of each caller in each window of time.
//
// A counter that is read and then raised would let one request of a caller in at a time. `atLeast` asks only what matters, whether the limit is
// reached, and that stays true or false beside all requests that do not reach it: until then the requests of a caller wait for nobody.

import {
  boolean,
  boundedCounter,
  concat,
  defineType,
  each,
  greatest,
  integer,
  text,
  type IntegerValue,
  type TextValue,
} from '@claret/client/types';

const caller = {
  who: text('the caller'),
  window: integer('the number of the window: the time divided by its length'),
  limit: integer('how many requests a window has'),
};

/** No number has a colon, so no two callers share a key. */
const keyOf = (args: { window: IntegerValue; who: TextValue }) => concat(args.window, ':', args.who);

export const RateLimiter = defineType({
  name: 'RateLimiter',
  version: 1,
  meaning: 'Requests by caller and window. Commutes until a limit is reached. Use one record for each day, say, and let it expire.',
  state: { used: each(boundedCounter) },
  operations: {
    allow: {
      meaning: 'Counts a request if the limit is not reached; answers whether it did.',
      parameters: caller,
      result: boolean(),
      answer: ({ used }, args) => used.of(keyOf(args)).atLeast(args.limit).not(),
      write: ({ used }, args, allowed) => [used.of(keyOf(args)).increment(1).when(allowed)],
    },
    left: {
      meaning: 'How many requests the window still has.',
      parameters: caller,
      result: integer(),
      answer: ({ used }, args) => greatest(args.limit.minus(used.of(keyOf(args)).value()), 0),
    },
  },
});
