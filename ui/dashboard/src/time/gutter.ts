// The gutter: all elements over time have their names in a column of the same width, and their time to the right of it, up to the
// right edge. So an instant has the same x in the axis, in every chart and in every lane.
import { createContext, use } from 'react';

export interface Gutter {
  /** CSS pixels for the names */
  width: number;
  /** names have as much room as on a desktop */
  isWide: boolean;
  /** on a very wide screen: names are hardly ever cut, and charts are higher */
  isVast: boolean;
  /** text size relative to the default; elements that hold text scale with it */
  scale: number;
}

const VAST_PX = 256;
const WIDE_PX = 188;
const NARROW_PX = 112;
/** In a narrower column, names give way to time. */
const WIDE_FROM_PX = 560;
const VAST_FROM_PX = 1_250;
const REM_PX = 16;

/** From the width of the time column and the size of the page's text. */
export function gutterFor(width: number, rem_px = REM_PX): Gutter {
  const scale = rem_px / REM_PX;
  const isWide = width >= WIDE_FROM_PX * scale;
  const isVast = width >= VAST_FROM_PX * scale;
  return { width: Math.round((isVast ? VAST_PX : isWide ? WIDE_PX : NARROW_PX) * scale), isWide, isVast, scale };
}

export const GutterContext = createContext<Gutter>(gutterFor(0));

/** The gutter of the surrounding time column. */
export const useGutter = (): Gutter => use(GutterContext);
