// Chart: a drawing over the page's time axis, to the right of the gutter. The page's one animation loop redraws it when there is
// something new. Pointing, picking a span, zooming and panning are the same in every chart. `children` are laid over the drawing.
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useStore } from '../feed/useFeed.tsx';
import { useGutter } from '../time/gutter.ts';
import type { Span } from '../time/timeAxis.ts';
import { useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Chart.module.css';
import { ChartSurface, type ValueAt } from './chartSurface.ts';
import type { Drawing } from './drawing.ts';
import { animationLoop } from './animationLoop.ts';
import { listenToGestures, type ChartPoint } from './gestures.ts';

export interface ChartProps {
  /** description for assistive technology; the panel has the same data as a table */
  title: string;
  /** in CSS pixels */
  height: number;
  /** Called in the animation loop; passing a new function causes a redraw. Allocates nothing per point. */
  draw: (drawing: Drawing) => void;
  /** The text beside the crosshair in this chart: the value at the instant that is pointed at in any chart. Empty: no text. */
  valueAt?: ValueAt;
  /** null: the pointer has left the chart */
  onHover?: (point: ChartPoint | null) => void;
  /** called with the picked span; without it, the axis shows the span */
  onPick?: (span: Span) => void;
  onSelect?: (point: ChartPoint) => void;
  children?: ReactNode;
}

export function Chart({ title, height, draw, valueAt, onHover, onPick, onSelect, children }: ChartProps) {
  const store = useStore();
  const axis = useTimeAxis();
  const { width: gutter } = useGutter();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const hoverLine = useRef<HTMLDivElement>(null);
  const pickBox = useRef<HTMLDivElement>(null);
  const surface = useRef<ChartSurface>(null);
  const handlers = useRef({ onHover, onPick, onSelect });

  useLayoutEffect(() => {
    handlers.current = { onHover, onPick, onSelect };
  });

  useLayoutEffect(() => {
    const made = new ChartSurface(canvas.current!, hoverLine.current!, store, axis);
    surface.current = made;
    const stopWatching = watchBox(box.current!, made);
    const stopDrawing = animationLoop.addChart(() => made.step());
    const stopListening = listenToGestures(box.current!, {
      axis,
      scale: () => made.scale,
      onHover: (point) => handlers.current.onHover?.(point),
      onSelect: (point) => handlers.current.onSelect?.(point),
      onPick: (span) => (handlers.current.onPick ? handlers.current.onPick(span) : axis.pick(span)),
      showPick: (pick) => showPick(pickBox.current!, pick),
    });
    return () => {
      stopDrawing();
      stopWatching();
      stopListening();
    };
  }, [store, axis]);

  // Runs after the effect above, which creates the surface.
  useEffect(() => {
    surface.current!.show(draw, gutter, valueAt ?? null);
  }, [draw, gutter, valueAt, store, axis]);

  return (
    <div ref={box} className={styles.chart} style={{ height }}>
      <canvas ref={canvas} className={styles.canvas} role="img" aria-label={title} />
      <div ref={pickBox} className={styles.pick} hidden />
      <div ref={hoverLine} className={styles.hover} hidden>
        <span className={styles.value} hidden />
      </div>
      {children}
    </div>
  );
}

/** Thresholds: how finely the visible part of a chart is tracked. */
const SEEN_SHARES = Array.from({ length: 101 }, (_, share) => share / 100);

function watchBox(box: HTMLElement, surface: ChartSurface): () => void {
  const sizes = new ResizeObserver(([entry]) => {
    const { width, height } = entry!.contentRect;
    surface.resize(width, height, window.devicePixelRatio);
  });
  sizes.observe(box);
  const visibility = new IntersectionObserver(
    (entries) => {
      const { isIntersecting, intersectionRect, boundingClientRect } = entries.at(-1)!;
      const top = intersectionRect.top - boundingClientRect.top;
      surface.see(isIntersecting ? { top, bottom: top + intersectionRect.height } : null);
    },
    { threshold: SEEN_SHARES },
  );
  visibility.observe(box);
  return () => {
    sizes.disconnect();
    visibility.disconnect();
  };
}

function showPick(box: HTMLElement, pick: { from: number; to: number } | null): void {
  box.hidden = pick === null;
  if (pick === null) return;
  box.style.left = `${pick.from}px`;
  box.style.width = `${pick.to - pick.from}px`;
}
