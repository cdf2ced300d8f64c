// How near an element is to the visible part of the page: 'here', on the screen or just beyond its edge; 'near', within a few screens; else
// 'away'. Two observers serve all elements of a page.
import { useEffect, useState, type RefObject } from 'react';

export type Nearness = 'here' | 'near' | 'away';

/** in relation to the screen's height, above and below it */
const MARGINS = { here: '25% 0px', near: '250% 0px' } as const;

interface Watched {
  here: boolean;
  near: boolean;
  tell(nearness: Nearness): void;
}

const watched = new WeakMap<Element, Watched>();
let observers: IntersectionObserver[] | null = null;

function observe(element: Element, tell: (nearness: Nearness) => void): () => void {
  observers ??= [observerOf('here'), observerOf('near')];
  watched.set(element, { here: false, near: false, tell });
  for (const observer of observers) observer.observe(element);
  return () => {
    for (const observer of observers ?? []) observer.unobserve(element);
    watched.delete(element);
  };
}

function observerOf(zone: 'here' | 'near'): IntersectionObserver {
  const take = (changes: IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of changes) {
      const one = watched.get(target);
      if (!one) continue;
      one[zone] = isIntersecting;
      one.tell(one.here ? 'here' : one.near ? 'near' : 'away');
    }
  };
  return new IntersectionObserver(take, { rootMargin: MARGINS[zone] });
}

/** REQUIRES: each element is observed by one component only. */
export function useNearness(element: RefObject<Element | null>): Nearness {
  const [nearness, setNearness] = useState<Nearness>('away');
  useEffect(() => (element.current === null ? undefined : observe(element.current, setNearness)), [element]);
  return nearness;
}
