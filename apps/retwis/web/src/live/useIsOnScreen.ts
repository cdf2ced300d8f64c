// Whether an element is on the screen or within half a screen of it. One observer serves all elements of a page.
import { useEffect, useState, type RefObject } from 'react';

const NEAR = '50% 0px';
const listeners = new WeakMap<Element, (isOnScreen: boolean) => void>();
let observer: IntersectionObserver | null = null;

function observe(element: Element, listener: (isOnScreen: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: NEAR },
  );
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    listeners.delete(element);
  };
}

export function useIsOnScreen(element: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false);
  useEffect(() => (element.current === null ? undefined : observe(element.current, setOnScreen)), [element]);
  return isOnScreen;
}
