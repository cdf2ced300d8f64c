// The three curves of the comfort zone (Mediator, section 5.2): the same traffic, sent in three ways.

import { symbolCircle, symbolSquare2, symbolWye } from 'd3-shape';
import type { Style } from '../../kit/figures/look.ts';

export type Curve = 'mediator' | 'transactional' | 'bound';

export interface CurveStyle extends Style {
  curve: Curve;
  /** of the cluster, by name (kit/conditions.ts) */
  under: string;
}

/**
 * mediator       natives beside transactions
 * transactional  each native as a transaction of one operation
 * bound          no transactions: every operation as a native, without locks
 */
export const CURVES: readonly CurveStyle[] = [
  {
    curve: 'bound',
    condition: 'bound',
    under: 'none',
    label: 'no transactions at all (a bound)',
    color: '#707070',
    dash: '1.5 3',
    marker: symbolWye,
  },
  {
    curve: 'mediator',
    condition: 'mediator',
    under: 'abstract+combining+phasing',
    label: 'natives beside transactions',
    color: '#8c1d40',
    marker: symbolCircle,
  },
  {
    curve: 'transactional',
    condition: 'transactional',
    under: 'abstract+combining+phasing',
    label: 'natives as transactions of one operation',
    color: '#0072b2',
    marker: symbolSquare2,
  },
];

export const curveNamed = (name: Curve): CurveStyle => CURVES.find(({ curve }) => curve === name)!;
