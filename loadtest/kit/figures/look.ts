// The look of the figures: one colour, dash and marker for each condition in all figures, so that conditions are also
// distinguishable without colour. The hue encodes the locks (warm: reader/writer, blue: abstract). A solid line means that phasing
// is on. Claret is the system with everything on; grey is the bound without transactions. The colours follow Okabe and Ito's
// palette.

import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond2,
  symbolSquare2,
  symbolStar,
  symbolTriangle,
  symbolWye,
  type SymbolType,
} from 'd3-shape';
import { element } from './svg.ts';

export interface Style {
  /** as in the data */
  condition: string;
  label: string;
  color: string;
  /** stroke-dasharray; undefined: solid */
  dash?: string;
  marker: SymbolType;
}

/** From the bound down to the baselines: the order of legends. */
export const STYLES: readonly Style[] = [
  { condition: 'none', label: 'none (no transactions: a bound)', color: '#707070', dash: '1.5 3', marker: symbolWye },
  { condition: 'none+deferral', label: 'none, deferred (a harder bound)', color: '#a8a8a8', dash: '1.5 3', marker: symbolWye },
  { condition: 'rw+combining+phasing', label: 'rw + combining + phasing', color: '#cc79a7', marker: symbolStar },
  {
    condition: 'abstract+combining+phasing+warranties',
    label: 'abstract + combining + phasing + warranties',
    color: '#009e73',
    marker: symbolDiamond2,
  },
  { condition: 'abstract+combining+phasing', label: 'abstract + combining + phasing', color: '#8c1d40', marker: symbolCircle },
  { condition: 'abstract+phasing', label: 'abstract + phasing', color: '#0072b2', marker: symbolSquare2 },
  { condition: 'abstract', label: 'abstract', color: '#56b4e9', dash: '6 3', marker: symbolDiamond2 },
  { condition: 'rw+phasing', label: 'rw + phasing', color: '#d55e00', marker: symbolTriangle },
  { condition: 'rw', label: 'rw', color: '#e69f00', dash: '6 3', marker: symbolCross },
  { condition: 'rw-backoff', label: 'rw, backoff in ms', color: '#a8977a', dash: '3 2', marker: symbolCross },
];

export const COLORS = {
  page: '#fffdfb',
  frame: '#e4dedb',
  ink: '#2b2320',
  soft: '#5e5450',
  faint: '#7d736f',
  grid: '#ece7e4',
  axis: '#b5aca8',
  accent: '#8c1d40',
};

export const FONT = "Inter, 'Helvetica Neue', Arial, sans-serif";

/** Throws for a condition without a style, which would otherwise be omitted silently. */
export function styleOf(condition: string): Style {
  const style = STYLES.find((one) => one.condition === condition);
  if (style === undefined)
    throw new Error(`no style for condition ${condition}; there are ${STYLES.map((one) => one.condition).join(', ')}`);
  return style;
}

export const inLegendOrder = (conditions: Iterable<string>): Style[] => {
  const present = new Set(conditions);
  present.forEach(styleOf);
  return STYLES.filter(({ condition }) => present.has(condition));
};

const MARKER_AREA = 34;

export const marker = ({ marker: type, color }: Style, x: number, y: number, open = false) =>
  element('path', {
    d: symbol(type, MARKER_AREA)()!,
    transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
    ...(open ? { fill: COLORS.page, stroke: color, 'stroke-width': 1.5 } : { fill: color }),
  });
