// The category's sign as a medallion on a stand, for items without a more specific motif.
import type { LucideIcon } from 'lucide-react';
import { GROUND, type Art, type Motif } from '../art.ts';

const RADIUS = 82;
const SIGN = 88;

export function emblemOf(Icon: LucideIcon): Motif {
  return function emblem({ palette: p }: Art) {
    const y = GROUND - RADIUS - 12;
    return (
      <>
        <path d={`M-46 ${GROUND}l16-34h60l16 34z`} fill={p.dark} />
        <circle cy={y} r={RADIUS} fill={p.a} />
        <circle cy={y} r={RADIUS - 9} fill={p.light} />
        <circle cy={y} r={RADIUS - 15} fill="none" stroke={p.b} strokeWidth="2" />
        <Icon x={-SIGN / 2} y={y - SIGN / 2} width={SIGN} height={SIGN} color={p.dark} strokeWidth={1.5} />
      </>
    );
  };
}
