// The benchmark's requests to its driver process, and the responses. The first request starts the load, later ones measure spans of
// it, and the last ends it.

import type { Sending } from '../paper/points.ts';
import type { LoadQuestion } from '../paper/question.ts';

export interface BeginQuestion {
  ask: 'begin';
  load: LoadQuestion;
  sending: Sending;
  /** transactions in flight at once */
  clients: number;
  gateway_pids: number[];
}

export interface SpanQuestion {
  ask: 'span';
  /** stretched until there are as many commits as clients */
  seconds: number;
}

export type Question = BeginQuestion | SpanQuestion | { ask: 'end' };

export interface Span {
  seconds: number;
  commits: number;
  /** CPU time of all gateways */
  gateways_us: number;
}

export interface Ended {
  /** differences between stored and acknowledged data */
  mismatches: string[];
}

export type Answer = Span | Ended | Record<string, never>;
