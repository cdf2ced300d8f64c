import { useEffect, useState } from 'react';

/**
 * For an element that may scroll: while its content does not fit, the element can take the focus, so that keys can scroll it too. Spread
 * the result on the element.
 */
export function useScrollStop(): { ref: (box: HTMLElement | null) => void; tabIndex: 0 | undefined } {
  const [box, ref] = useState<HTMLElement | null>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    if (box === null) return;
    const look = () => setScrolls(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
    const sizes = new ResizeObserver(look);
    const observe = () => {
      sizes.disconnect();
      for (const one of [box, ...box.children]) sizes.observe(one);
    };
    observe();
    const contents = new MutationObserver(observe);
    contents.observe(box, { childList: true });
    return () => {
      sizes.disconnect();
      contents.disconnect();
    };
  }, [box]);
  return { ref, tabIndex: scrolls ? 0 : undefined };
}
