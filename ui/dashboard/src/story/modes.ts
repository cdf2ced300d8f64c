// A mode: one card of a story, and a way in which the cluster can run. Its look is the same wherever the mode is shown.
import type { Conditions } from '@claret/client/telemetry';
import { WAYS } from '../laboratory/conditions.ts';

export interface Mode {
  name: string;
  /** what it does, for somebody who has not heard of it */
  about: string;
  conditions: Conditions;
  /** the number of its colour, from 1 (ways.css) */
  look: 1 | 2 | 3 | 4;
}

const SHORT = ['Reader/writer', 'Commuting', '+ Phasing', '+ Combining'] as const;
const ABOUT = [
  'One write shuts everyone else out, as in most databases.',
  'Writes whose order makes no difference share the record.',
  'Whoever must wait queues with its kind; the whole kind is let in at once.',
  'Sent whole and run in one go: nobody holds it while messages travel.',
] as const;

/** The paper's steps, each with one idea more than the one before. */
export const FOUR_WAYS: readonly Mode[] = WAYS.map(({ conditions }, place) => ({
  name: SHORT[place]!,
  about: ABOUT[place]!,
  conditions,
  look: (place + 1) as Mode['look'],
}));
