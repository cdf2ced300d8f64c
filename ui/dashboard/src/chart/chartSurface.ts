// ChartSurface: a canvas that is redrawn only when needed: after new messages, when the span has moved by a pixel or more, or when
// the size, the theme or the draw function has changed. The crosshair, a line with the value beside it, marks the instant that is
// pointed at in any chart. It is not part of the picture, so pointing causes no redraw.

import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { TimeAxis } from '../time/timeAxis.ts';
import type { Drawing } from './drawing.ts';
import { drawMarks, drawUnwatched } from './drawMarks.ts';
import { palette, type Palette } from './palette.ts';
import { timeScale, type TimeScale } from './timeScale.ts';

export type ValueAt = (store: TelemetryStore, at_ms: number) => string;

const AROUND_PX = 80;

export class ChartSurface {
  private readonly canvas: HTMLCanvasElement;
  private readonly hoverLine: HTMLElement;
  private readonly store: TelemetryStore;
  private readonly axis: TimeAxis;
  private size = { width: 0, height: 0, ratio: 1 };
  private picture: (drawing: Drawing) => void = () => {};
  private left = 0;
  private valueAt: ValueAt | null = null;
  private isDirty = true;
  private seen: Drawing['seen'] | null = { top: 0, bottom: Number.POSITIVE_INFINITY };
  /** the scale of the last drawing */
  scale: TimeScale | null = null;

  private drawnVersion = -1;
  private drawnPalette: Palette | null = null;
  private hovered: { x: number; at_ms: number; version: number } | null = null;

  constructor(canvas: HTMLCanvasElement, hoverLine: HTMLElement, store: TelemetryStore, axis: TimeAxis) {
    this.canvas = canvas;
    this.hoverLine = hoverLine;
    this.store = store;
    this.axis = axis;
  }

  /** `left`: CSS pixels before the part that shows time. That part extends to the right edge. */
  show(draw: (drawing: Drawing) => void, left: number, valueAt: ValueAt | null): void {
    this.picture = draw;
    this.left = left;
    this.valueAt = valueAt;
    this.isDirty = true;
  }

  resize(width: number, height: number, ratio: number): void {
    this.size = { width, height, ratio };
    this.isDirty = true;
  }

  /** Sets the visible part, from and to in CSS pixels from the top; null: none of the chart is visible. */
  see(seen: Drawing['seen'] | null): void {
    this.seen = seen;
    this.isDirty = true;
  }

  /** Runs once per animation frame; returns whether it has drawn. */
  step(): boolean {
    if (this.seen === null || this.size.width === 0 || this.size.height === 0) return false;
    const colours = palette();
    const { width, ratio } = this.size;
    const scale = timeScale(this.axis.span, this.left, width, ratio);
    const hasMoved = scale.from_ms !== this.scale?.from_ms || scale.to_ms !== this.scale.to_ms;
    const isNew = this.isDirty || hasMoved || this.store.version !== this.drawnVersion || colours !== this.drawnPalette;
    if (isNew) this.draw(colours, scale, this.seen);
    this.placeHoverLine();
    return isNew;
  }

  private draw(colours: Palette, scale: TimeScale, seen: Drawing['seen']): void {
    const { width, height, ratio } = this.size;
    const context = this.canvas.getContext('2d')!;
    const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== deviceWidth || this.canvas.height !== deviceHeight) {
      this.canvas.width = deviceWidth;
      this.canvas.height = deviceHeight;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.scale = scale;
    const { store, axis } = this;
    const drawing: Drawing = { context, width, height, ratio, seen: around(seen), palette: colours, time: scale, store, axis };
    drawUnwatched(drawing);
    context.save();
    this.picture(drawing);
    context.restore();
    drawMarks(drawing);
    this.isDirty = false;
    this.drawnVersion = this.store.version;
    this.drawnPalette = colours;
  }

  private placeHoverLine(): void {
    const { hover_ms } = this.axis;
    const { scale } = this;
    const { version } = this.store;
    if (hover_ms === null || scale === null || hover_ms < scale.from_ms || hover_ms > scale.to_ms) {
      if (this.hovered !== null) this.hoverLine.hidden = true;
      this.hovered = null;
      return;
    }
    const x = Math.round(scale.x(hover_ms));
    const before = this.hovered;
    if (before?.x === x && before.at_ms === hover_ms && before.version === version) return;
    this.hovered = { x, at_ms: hover_ms, version };
    this.hoverLine.hidden = false;
    this.hoverLine.style.transform = `translateX(${x}px)`;
    const value = this.hoverLine.firstElementChild as HTMLElement;
    const words = this.valueAt?.(this.store, hover_ms) ?? '';
    value.hidden = words === '';
    value.textContent = words;
    value.dataset['side'] = x > (scale.left + scale.right) / 2 ? 'left' : 'right';
  }
}

/** A little more than the visible part, so that content is drawn before it is scrolled into view. */
const around = ({ top, bottom }: Drawing['seen']): Drawing['seen'] => ({ top: top - AROUND_PX, bottom: bottom + AROUND_PX });
