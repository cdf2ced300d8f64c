// Drawing: the argument of a chart's `draw`. The canvas is clear, its unit is a CSS pixel, and text on it is crisp.

import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { TimeAxis } from '../time/timeAxis.ts';
import type { Palette } from './palette.ts';
import type { TimeScale } from './timeScale.ts';

export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  /** in CSS pixels */
  readonly width: number;
  readonly height: number;
  /** device pixels per CSS pixel */
  readonly ratio: number;
  /** the visible part, from and to in CSS pixels from the top */
  readonly seen: { readonly top: number; readonly bottom: number };
  readonly palette: Palette;
  readonly time: TimeScale;
  readonly store: TelemetryStore;
  readonly axis: TimeAxis;
}
