// The position on the tour: the step is part of the address, so that it survives a reload and can be shared.
import { useSearchParams } from 'react-router';
import { STEPS } from './steps.ts';

export interface TourPosition {
  /** null: not on the tour */
  step: number | null;
  go(step: number | null): void;
}

const NAME = 'tour';

export function useTour(): TourPosition {
  const [query, setQuery] = useSearchParams();
  const told = Number(query.get(NAME));
  const step = Number.isInteger(told) && told >= 1 && told <= STEPS.length ? told - 1 : null;
  const go = (to: number | null) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (to === null) next.delete(NAME);
        else next.set(NAME, String(to + 1));
        return next;
      },
      { preventScrollReset: true },
    );
  return { step, go };
}
