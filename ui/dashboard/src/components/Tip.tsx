// The tooltip of a chart: describes the element under the pointer. It stands beside the pointer, inside the chart, and never takes
// pointer events.
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Tip.module.css';

const BESIDE_PX = 14;

export interface TipProps {
  /** position of the pointer, in CSS pixels from the top left of the surrounding element */
  x: number;
  y: number;
  title: string;
  children: ReactNode;
}

export function Tip({ x, y, title, children }: TipProps) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = tip.current!;
    const around = element.offsetParent!;
    const { offsetWidth: width, offsetHeight: height } = element;
    const seen = seenPart(around);
    const left = x + BESIDE_PX + width <= around.clientWidth ? x + BESIDE_PX : x - BESIDE_PX - width;
    const top = y + BESIDE_PX + height <= seen.bottom ? y + BESIDE_PX : y - BESIDE_PX - height;
    element.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(seen.top, top)}px)`;
  });
  return (
    <div ref={tip} className={styles.tip}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

/** The part of an element that its scrolling panel shows, in CSS pixels from the element's top. */
function seenPart(element: Element): { top: number; bottom: number } {
  let scroller = element.parentElement;
  while (scroller && getComputedStyle(scroller).overflowY === 'visible') scroller = scroller.parentElement;
  const { top, bottom } = element.getBoundingClientRect();
  if (scroller === null) return { top: 0, bottom: bottom - top };
  const box = scroller.getBoundingClientRect();
  return { top: Math.max(0, box.top - top), bottom: Math.min(bottom, box.bottom) - top };
}
