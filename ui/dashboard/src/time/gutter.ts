// The gutter: everything that stands over time has its names in a column of this one width, and its time beside it, up to the
// right edge. So an instant has the same x in the axis, in every chart and in every lane.
import { createContext, use } from 'react';

export interface Gutter {
  /** CSS pixels for names beside time */
  width: number;
  /** names have the room that they have on a desk */
  isWide: boolean;
  /** how much larger text is than usual, and what holds text has to be */
  scale: number;
}

const WIDE_PX = 188;
const NARROW_PX = 112;
/** Below it, names give way to time. */
const WIDE_FROM_PX = 560;
const REM_PX = 16;

/** By the width that names and time share, and by the size of the page's text. */
export function gutterFor(width: number, rem_px = REM_PX): Gutter {
  const scale = rem_px / REM_PX;
  const isWide = width >= WIDE_FROM_PX * scale;
  return { width: Math.round((isWide ? WIDE_PX : NARROW_PX) * scale), isWide, scale };
}

export const GutterContext = createContext<Gutter>(gutterFor(0));

/** Of the time column around a component. */
export const useGutter = (): Gutter => use(GutterContext);
