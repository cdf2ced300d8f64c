// The questions that the benchmark asks its driver process, and the answers. The first question begins the load, later ones
// measure spans of it, and the last ends it.

import type { Sending } from '../paper/points.ts';
import type { LoadQuestion } from '../paper/question.ts';

export interface BeginQuestion {
  ask: 'begin';
  load: LoadQuestion;
  sending: Sending;
  /** transactions under way at once */
  clients: number;
  gateway_pids: number[];
}

export interface SpanQuestion {
  ask: 'span';
  /** it is stretched until as many have committed as there are clients */
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
  /** where what is stored differs from what was acknowledged */
  mismatches: string[];
}

export type Answer = Span | Ended | Record<string, never>;
