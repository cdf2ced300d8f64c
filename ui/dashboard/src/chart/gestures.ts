// Pointer gestures on a chart. Mouse: dragging picks a span, ctrl + wheel zooms around the pointer, a horizontal wheel pans, a
// click selects. Touch: dragging sideways pans, two fingers zoom, a tap selects; vertical drags scroll the page.

import type { Span, TimeAxis } from '../time/timeAxis.ts';
import type { TimeScale } from './timeScale.ts';

export interface ChartPoint {
  at_ms: number;
  /** in CSS pixels from the chart's top left */
  x: number;
  y: number;
}

export interface GestureTarget {
  axis: TimeAxis;
  /** null before the first drawing */
  scale(): TimeScale | null;
  onHover(point: ChartPoint | null): void;
  onPick(span: Span): void;
  onSelect(point: ChartPoint): void;
  /** the span that a release would pick now, from and to in CSS pixels; null: none */
  showPick(pick: { from: number; to: number } | null): void;
}

const DRAG_PX = 5;
const ZOOM_PER_WHEEL_PX = 0.0025;

/** Returns a function that stops listening. */
export function listenToGestures(element: HTMLElement, target: GestureTarget): () => void {
  const hand = new Hand(element, target);
  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener('pointerdown', (event) => hand.down(event), { signal });
  element.addEventListener('pointermove', (event) => hand.move(event), { signal });
  element.addEventListener('pointerup', (event) => hand.up(event), { signal });
  element.addEventListener('pointercancel', (event) => hand.cancel(event), { signal });
  element.addEventListener('pointerleave', (event) => hand.leave(event), { signal });
  element.addEventListener('wheel', (event) => hand.wheel(event), { signal, passive: false });
  return () => stop.abort();
}

class Hand {
  private readonly element: HTMLElement;
  private readonly target: GestureTarget;
  /** the last position of each pointer that is down, by pointer id */
  private readonly pointers = new Map<number, ChartPoint>();
  private start: ChartPoint | null = null;
  private isDragging = false;

  constructor(element: HTMLElement, target: GestureTarget) {
    this.element = element;
    this.target = target;
  }

  private pointOf(event: MouseEvent): ChartPoint {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { at_ms: this.target.scale()?.at(x) ?? 0, x, y };
  }

  down(event: PointerEvent): void {
    const isOnButton = Boolean((event.target as Partial<Element> | null)?.closest?.('button, a'));
    if (event.button !== 0 || isOnButton) return;
    const point = this.pointOf(event);
    this.pointers.set(event.pointerId, point);
    this.start = this.pointers.size === 1 ? point : null;
    this.isDragging = false;
    if (event.pointerType === 'mouse') this.element.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    const point = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return this.point(point);
    if (this.pointers.size > 1) this.pinch(event.pointerId, before, point);
    else if (event.pointerType === 'mouse') this.drag(point);
    else this.pull(before, point);
    this.pointers.set(event.pointerId, point);
  }

  private drag(point: ChartPoint): void {
    this.point(point);
    this.isDragging ||= this.start !== null && Math.abs(point.x - this.start.x) > DRAG_PX;
    const scale = this.target.scale();
    if (!this.isDragging || scale === null) return;
    const within = (x: number) => Math.min(scale.right, Math.max(scale.left, x));
    const [from, to] = [within(this.start!.x), within(point.x)];
    this.target.showPick({ from: Math.min(from, to), to: Math.max(from, to) });
  }

  private pull(before: ChartPoint, point: ChartPoint): void {
    this.isDragging ||= this.start !== null && Math.abs(point.x - this.start.x) > DRAG_PX;
    const scale = this.target.scale();
    if (this.isDragging && scale !== null) this.target.axis.pan((before.x - point.x) * scale.ms_per_px);
  }

  private pinch(id: number, before: ChartPoint, point: ChartPoint): void {
    const other = [...this.pointers].find(([otherId]) => otherId !== id)![1];
    const distance = (to: ChartPoint) => Math.hypot(to.x - other.x, to.y - other.y) + 1;
    this.isDragging = true;
    this.target.axis.zoom(distance(point) / distance(before), other.at_ms);
  }

  up(event: PointerEvent): void {
    const start = this.start;
    const point = this.pointOf(event);
    const isTap = this.pointers.delete(event.pointerId) && start !== null && !this.isDragging;
    if (isTap) this.target.onSelect(point);
    else if (this.isDragging && event.pointerType === 'mouse' && start !== null) this.target.onPick(orderedSpan(start, point));
    if (event.pointerType !== 'mouse') this.point(isTap ? point : null);
    this.end();
  }

  cancel(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.point(null);
    this.end();
  }

  leave(event: PointerEvent): void {
    if (!this.pointers.has(event.pointerId) && event.pointerType === 'mouse') this.point(null);
  }

  wheel(event: WheelEvent): void {
    const scale = this.target.scale();
    if (scale === null) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.target.axis.zoom(Math.exp(-event.deltaY * ZOOM_PER_WHEEL_PX), this.pointOf(event).at_ms);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.target.axis.pan(event.deltaX * scale.ms_per_px);
    }
  }

  private end(): void {
    this.target.showPick(null);
    this.start = null;
    if (this.pointers.size === 0) this.isDragging = false;
  }

  /** Positions beside the time area are reported as points, but have no instant. */
  private point(point: ChartPoint | null): void {
    const scale = this.target.scale();
    const isInstant = point !== null && scale !== null && point.x >= scale.left && point.x <= scale.right;
    this.target.axis.hover(isInstant ? point.at_ms : null);
    this.target.onHover(point);
  }
}

const orderedSpan = (a: ChartPoint, b: ChartPoint): Span => ({ from_ms: Math.min(a.at_ms, b.at_ms), to_ms: Math.max(a.at_ms, b.at_ms) });
