// The scene around a motif: wall, one of several backdrops, table, light and shadow.
import { useId, type ReactNode } from 'react';
import { GROUND, type Art } from './art.ts';

const WIDTH = 400;
const HEIGHT = 300;
const MIDDLE = WIDTH / 2;

function backdrop({ random, palette: p }: Art): ReactNode {
  const x = MIDDLE + random.between(-26, 26);
  switch (random.integer(0, 5)) {
    case 0:
      return <circle cx={x} cy={GROUND - 84} r={random.between(92, 112)} fill={p.light} opacity="0.42" />;
    case 1:
      return <path d={`M${x - 98} ${GROUND}V126a98 98 0 0 1 196 0V${GROUND}z`} fill={p.light} opacity="0.38" />;
    case 2:
      return <path d={`M0 0h400L${x - 40} ${GROUND}H0z`} fill={p.light} opacity="0.24" />;
    case 3:
      return (
        <g opacity="0.3" fill={p.light}>
          <rect x="40" y="34" width="92" height="128" />
          <rect x="142" y="34" width="92" height="128" />
        </g>
      );
    case 4:
      return <path d={`M0 ${GROUND}V150q100-70 200-20t200-40v${GROUND - 90}z`} fill={p.wallDeep} opacity="0.75" />;
    default:
      return null;
  }
}

export function Scene({ art, children }: { art: Art; children: ReactNode }) {
  const id = useId();
  const { random, palette: p } = art;
  const scenery = backdrop(art);
  const scale = random.between(0.98, 1.1);
  const x = MIDDLE + random.between(-14, 14);
  return (
    <>
      <defs>
        <linearGradient id={`${id}w`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor={p.wall} />
          <stop offset="1" stopColor={p.wallDeep} />
        </linearGradient>
        <radialGradient id={`${id}s`}>
          <stop offset="0" stopColor={p.dark} stopOpacity="0.55" />
          <stop offset="0.6" stopColor={p.dark} stopOpacity="0.22" />
          <stop offset="1" stopColor={p.dark} stopOpacity="0" />
        </radialGradient>
        <radialGradient id={`${id}l`} cx="0.22" cy="0.1" r="0.9">
          <stop offset="0" stopColor="#fff" stopOpacity="0.3" />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width={WIDTH} height={HEIGHT} fill={`url(#${id}w)`} />
      {scenery}
      <rect y={GROUND - 12} width={WIDTH} height={HEIGHT} fill={p.table} />
      <rect y={GROUND - 12} width={WIDTH} height="3" fill="#fff" opacity="0.22" />
      <rect width={WIDTH} height={HEIGHT} fill={`url(#${id}l)`} />
      <ellipse cx={x + 16} cy={GROUND + 6} rx={128 * scale} ry="17" fill={`url(#${id}s)`} />
      <g transform={`translate(${x} ${GROUND + 6}) scale(${scale}) translate(0 ${-GROUND})`}>{children}</g>
    </>
  );
}
