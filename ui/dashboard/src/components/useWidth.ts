import { useCallback, useState } from 'react';

/** A ref for an element, and the width of its content in CSS pixels; 0 until it is known. */
export function useWidth(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const sizes = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return [ref, width];
}
