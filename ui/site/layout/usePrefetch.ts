// Pointing at a link, or reaching it by keyboard, prefetches its target.
import { useEffect, useRef } from 'react';
import { prefetch } from '../pages.ts';
import { useSite } from '../site.ts';

const HOVER_MS = 60;

export interface PrefetchHandlers {
  onPointerEnter(): void;
  onPointerLeave(): void;
  onFocus(): void;
}

export function usePrefetch(to: string): PrefetchHandlers {
  const { pages } = useSite();
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    onPointerEnter: () => void (timer.current = window.setTimeout(() => prefetch(pages, to), HOVER_MS)),
    onPointerLeave: () => window.clearTimeout(timer.current),
    onFocus: () => prefetch(pages, to),
  };
}
