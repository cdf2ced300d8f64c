// Pointing at a link, or reaching it by keyboard, prefetches its target. Pressing it does not: the page that then opens reads by itself.
import { useEffect, useRef, type FocusEvent, type PointerEvent } from 'react';
import { prefetch } from '../pages.ts';
import { useSite } from '../site.ts';

const HOVER_MS = 60;

export interface PrefetchHandlers {
  onPointerEnter(event: PointerEvent): void;
  onPointerLeave(): void;
  onFocus(event: FocusEvent): void;
}

export function usePrefetch(to: string): PrefetchHandlers {
  const { pages } = useSite();
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    onPointerEnter({ pointerType }) {
      if (pointerType !== 'touch') timer.current = window.setTimeout(() => prefetch(pages, to), HOVER_MS);
    },
    onPointerLeave: () => window.clearTimeout(timer.current),
    onFocus({ target }) {
      if (target.matches(':focus-visible')) prefetch(pages, to);
    },
  };
}
