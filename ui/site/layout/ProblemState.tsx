// Replaces a page, or a section of it, that could not be read: says what happened and offers a way out.
import { ErrorState } from '@claret/ui/kit';
import { Hourglass, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/client.ts';

export interface ProblemStateProps {
  problem: ApiProblem;
  /** h1 if it replaces the whole page */
  heading?: 'h1' | 'h2';
  onRetry(): void;
}

const LOOKS: Record<string, { title: string; icon: ReactNode }> = {
  network: { title: 'No connection', icon: <WifiOff size={26} /> },
  busy: { title: 'Not available right now', icon: <Hourglass size={26} /> },
  overloaded: { title: 'The site is very busy', icon: <Hourglass size={26} /> },
};

export function ProblemState({ problem, heading = 'h2', onRetry }: ProblemStateProps) {
  return (
    <ErrorState heading={heading} onRetry={onRetry} {...LOOKS[problem.code]}>
      {problem.message}
    </ErrorState>
  );
}
