// A page, or a part of it, that could not be read: what happened, and the way on.
import { ErrorState } from '@claret/ui/kit';
import type { ApiProblem } from '../api/client.ts';

export interface ProblemStateProps {
  problem: ApiProblem;
  /** h1 where it stands for the whole page */
  heading?: 'h1' | 'h2';
  onRetry(): void;
}

const TITLES: Record<string, string> = {
  network: 'No connection',
  busy: 'Very busy just now',
  overloaded: 'Very busy just now',
  outcome_unknown: 'No answer came',
};

export function ProblemState({ problem, heading = 'h2', onRetry }: ProblemStateProps) {
  const title = TITLES[problem.code];
  return (
    <ErrorState heading={heading} onRetry={onRetry} {...(title ? { title } : {})}>
      {problem.message}
    </ErrorState>
  );
}
