// A panel: one plot with its heading, axes and series.

import { line as pathOf } from 'd3-shape';
import type { Axis } from './axis.ts';
import { COLORS, marker, type Style } from './look.ts';
import { element, group, line, text } from './svg.ts';

export interface PlotPoint {
  x: number;
  y: number;
  /** the range over the rounds, if the point is their median */
  range?: [number, number];
  /** an open mark: the driver may have limited the measurement */
  open?: boolean;
}

export interface Series {
  style: Style;
  points: readonly PlotPoint[];
  /** false: points alone */
  joined?: boolean;
  /** false: the line alone */
  marked?: boolean;
}

export interface Panel {
  heading: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const MARGIN = { left: 58, right: 14, top: 44, bottom: 40 };
const HEAD_PX = 13;
const SMALL_PX = 11;

/** The area inside the axes of a panel that is drawn into `box`. */
export function plotIn(box: Box): Box {
  return {
    left: box.left + MARGIN.left,
    top: box.top + MARGIN.top,
    width: box.width - MARGIN.left - MARGIN.right,
    height: box.height - MARGIN.top - MARGIN.bottom,
  };
}

export function drawPanel(panel: Panel, box: Box): string {
  const plot = plotIn(box);
  const at = ({ x, y }: { x: number; y: number }): [number, number] => [
    plot.left + panel.x.place(x) * plot.width,
    plot.top + (1 - panel.y.place(y)) * plot.height,
  ];
  return group(
    {},
    text(panel.heading, box.left, box.top + 12, { 'font-size': HEAD_PX, 'font-weight': 600, fill: COLORS.ink }),
    text(panel.y.title, box.left, box.top + 30, { 'font-size': SMALL_PX, fill: COLORS.soft }),
    ...grid(panel, plot),
    // The legend lists the most important series first: drawn last, they lie on top.
    ...[...panel.series].reverse().map((series) => drawSeries(series, at)),
  );
}

function grid({ x, y }: Panel, plot: Box): string[] {
  const small = { 'font-size': SMALL_PX, fill: COLORS.soft };
  const bottom = plot.top + plot.height;
  return [
    ...y.ticks.flatMap((tick) => {
      const height = bottom - y.place(tick) * plot.height;
      return [
        line(plot.left, height, plot.left + plot.width, height, { stroke: COLORS.grid }),
        text(y.format(tick), plot.left - 8, height + 4, { ...small, 'text-anchor': 'end' }),
      ];
    }),
    line(plot.left, bottom, plot.left + plot.width, bottom, { stroke: COLORS.axis }),
    ...x.ticks.flatMap((tick) => {
      const along = plot.left + x.place(tick) * plot.width;
      return [
        line(along, bottom, along, bottom + 4, { stroke: COLORS.axis }),
        text(x.format(tick), along, bottom + 17, { ...small, 'text-anchor': 'middle' }),
      ];
    }),
    text(x.title, plot.left + plot.width / 2, bottom + 34, { ...small, 'text-anchor': 'middle' }),
  ];
}

function drawSeries(
  { style, points, joined = true, marked = true }: Series,
  at: (point: { x: number; y: number }) => [number, number],
): string {
  const path = joined && points.length > 1 ? pathOf()(points.map(at)) : null;
  return group(
    { 'data-condition': style.condition },
    ...(path === null
      ? []
      : [
          element('path', {
            d: path,
            fill: 'none',
            stroke: style.color,
            'stroke-width': 1.8,
            'stroke-dasharray': style.dash,
            'stroke-linejoin': 'round',
          }),
        ]),
    ...points.flatMap((point) => {
      const [x, y] = at(point);
      const whisker = point.range?.map((end) => at({ x: point.x, y: end })[1]);
      return [
        ...(whisker === undefined
          ? []
          : [line(x, whisker[0]!, x, whisker[1]!, { stroke: style.color, 'stroke-width': 1, 'stroke-opacity': 0.55 })]),
        ...(marked ? [marker(style, x, y, point.open)] : []),
      ];
    }),
  );
}
