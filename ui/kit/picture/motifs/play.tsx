// Play and wear: robots, games, drums, ships, houses, necklaces, watering cans.
import { GROUND, type Art } from '../art.ts';

export function robot({ random, palette: p }: Art) {
  const face = random.pick([p.light, p.b]);
  return (
    <>
      <path d={`M-34 ${GROUND - 44}h22V${GROUND}h-30v-10zm68 0H12V${GROUND}h30v-10z`} fill={p.dark} />
      <path d={`M-54 ${GROUND - 114}h-22v50h14v-36h10zm108 0h22v50H62v-36H52z`} fill={p.c} />
      <circle cx="-69" cy={GROUND - 58} r="10" fill={p.dark} />
      <circle cx="69" cy={GROUND - 58} r="10" fill={p.dark} />
      <rect x="-54" y={GROUND - 122} width="108" height="82" rx="8" fill={p.a} />
      <path d={`M18 ${GROUND - 122}h28a8 8 0 0 1 8 8v66a8 8 0 0 1-8 8H18z`} fill="#000" opacity="0.14" />
      <rect x="-38" y={GROUND - 108} width="76" height="36" rx="5" fill={p.light} />
      <path d={`M-28 ${GROUND - 82}l14-16 12 10 14-14 16 20`} fill="none" stroke={p.a} strokeWidth="4" strokeLinejoin="round" />
      {[-26, 0, 26].map((x, at) => (
        <circle key={x} cx={x} cy={GROUND - 56} r="7" fill={[p.b, p.light, p.c][at]} />
      ))}
      <path d={`M0 ${GROUND - 186}v-16`} stroke={p.dark} strokeWidth="5" />
      <circle cx="0" cy={GROUND - 204} r="7" fill={p.b} />
      <rect x="-40" y={GROUND - 188} width="80" height="60" rx="10" fill={face} />
      <path d={`M12 ${GROUND - 188}h18a10 10 0 0 1 10 10v40a10 10 0 0 1-10 10H12z`} fill="#000" opacity="0.1" />
      <circle cx="-17" cy={GROUND - 164} r="10" fill={p.dark} />
      <circle cx="17" cy={GROUND - 164} r="10" fill={p.dark} />
      <circle cx="-14" cy={GROUND - 167} r="3.5" fill="#fff" />
      <circle cx="20" cy={GROUND - 167} r="3.5" fill="#fff" />
      <path d={`M-18 ${GROUND - 141}h36`} stroke={p.dark} strokeWidth="6" strokeDasharray="6 4" />
    </>
  );
}

export function boardGame({ random, palette: p }: Art) {
  const pips = random.integer(0, 1);
  return (
    <>
      <path d={`M-96 ${GROUND - 6}l34-62H84l30 62z`} fill={p.light} />
      <path d={`M-96 ${GROUND - 6}h210v10H-96z`} fill={p.b} />
      {[0, 1, 2, 3].map((column) =>
        [0, 1].map((row) => {
          const top = GROUND - 68 + row * 31;
          const spread = 1 + row * 0.18;
          const x = (column * 2 + row) * 18.25 * spread - 62 - row * 17;
          return <path key={`${column}${row}`} d={`M${x} ${top}h${18.25 * spread}l4 31h${-21 * spread}z`} fill={p.c} opacity="0.85" />;
        }),
      )}
      <path d={`M-46 ${GROUND - 44}c-2-22 8-30 8-44h24c0 14 10 22 8 44z`} fill={p.a} />
      <circle cx="-26" cy={GROUND - 98} r="17" fill={p.a} />
      <circle cx="-31" cy={GROUND - 103} r="5" fill="#fff" opacity="0.4" />
      <path d={`M6 ${GROUND - 30}c-2-20 7-26 7-38h20c0 12 9 18 7 38z`} fill={p.dark} />
      <circle cx="23" cy={GROUND - 76} r="14" fill={p.dark} />
      <g transform={`translate(76 ${GROUND - 46}) rotate(12)`}>
        <rect x="-22" y="-22" width="44" height="44" rx="8" fill={p.b} />
        {(pips === 0
          ? [
              [-10, -10],
              [0, 0],
              [10, 10],
            ]
          : [
              [-10, -10],
              [10, -10],
              [0, 0],
              [-10, 10],
              [10, 10],
            ]
        ).map(([x, y]) => (
          <circle key={`${x}${y}`} cx={x} cy={y} r="4.5" fill={p.dark} />
        ))}
      </g>
    </>
  );
}

export function drum({ random, palette: p }: Art) {
  const shell = random.pick([p.a, p.c]);
  return (
    <>
      <path
        d={`M-40 ${GROUND - 120}L-98 ${GROUND - 184}M40 ${GROUND - 120}L90 ${GROUND - 190}`}
        stroke={p.b}
        strokeWidth="8"
        strokeLinecap="round"
      />
      <circle cx="-98" cy={GROUND - 184} r="8" fill={p.light} />
      <circle cx="90" cy={GROUND - 190} r="8" fill={p.light} />
      <path d={`M-82 ${GROUND - 110}v88c0 30 164 30 164 0v-88z`} fill={shell} />
      <path d={`M30 ${GROUND - 90}h52v68c0 10-20 17-52 20z`} fill="#000" opacity="0.15" />
      <path
        d={`M-82 ${GROUND - 96}l27 82 28-76 27 80 27-80 28 76 27-82`}
        fill="none"
        stroke={p.light}
        strokeWidth="4"
        strokeLinejoin="round"
      />
      <ellipse cx="0" cy={GROUND - 110} rx="84" ry="24" fill={p.b} />
      <ellipse cx="0" cy={GROUND - 112} rx="74" ry="19" fill={p.light} />
      <path d={`M-83 ${GROUND - 26}c0 32 166 32 166 0v10c0 32-166 32-166 0z`} fill={p.b} />
    </>
  );
}

export function ship({ random, palette: p }: Art) {
  const flag = random.pick([p.a, p.b]);
  return (
    <>
      <path d={`M-4 ${GROUND - 40}V${GROUND - 208}`} stroke={p.dark} strokeWidth="6" />
      <path d={`M-4 ${GROUND - 210}l30 9-30 9z`} fill={flag} />
      <path d={`M4 ${GROUND - 186}c46 22 66 66 66 122H4z`} fill={p.light} />
      <path d={`M4 ${GROUND - 104}c30 2 56 2 64 8l2 32H4z`} fill="#000" opacity="0.08" />
      <path d={`M-12 ${GROUND - 172}c-38 26-58 66-60 108h60z`} fill={p.b} />
      <path d={`M-92 ${GROUND - 58}H96c-6 34-26 48-50 48h-86c-28 0-46-18-52-48z`} fill={p.a} />
      <path d={`M36 ${GROUND - 58}h60c-6 34-26 48-50 48H28z`} fill="#000" opacity="0.14" />
      <path d={`M-88 ${GROUND - 46}H92`} stroke={p.light} strokeWidth="5" />
      {[-46, -14, 18, 50].map((x) => (
        <circle key={x} cx={x} cy={GROUND - 30} r="5.5" fill={p.light} />
      ))}
      <path d={`M-52 ${GROUND - 12}h104l14 12H-66z`} fill={p.dark} />
    </>
  );
}

export function dollhouse({ random, palette: p }: Art) {
  const lit = random.integer(0, 3);
  return (
    <>
      <rect x="30" y={GROUND - 206} width="22" height="48" fill={p.dark} />
      <rect x="-78" y={GROUND - 122} width="156" height="122" fill={p.light} />
      <path d={`M-96 ${GROUND - 118}L0 ${GROUND - 206}l96 88z`} fill={p.a} />
      <path d={`M0 ${GROUND - 206}l96 88H40z`} fill="#000" opacity="0.14" />
      <path d={`M-78 ${GROUND - 62}H78`} stroke={p.dark} strokeOpacity="0.2" strokeWidth="4" />
      {[
        [-60, 106],
        [28, 106],
        [-60, 46],
        [28, 46],
      ].map(([x, up], at) => (
        <g key={at}>
          <rect x={x} y={GROUND - up!} width="34" height="32" rx="2" fill={at === lit ? p.b : p.c} />
          <path d={`M${x! + 17} ${GROUND - up!}v32m-17-16h34`} stroke={p.light} strokeWidth="3" />
        </g>
      ))}
      <rect x="-17" y={GROUND - 48} width="34" height="48" rx="3" fill={p.a} />
      <circle cx="9" cy={GROUND - 24} r="3.5" fill={p.b} />
      <circle cx="0" cy={GROUND - 146} r="14" fill={p.b} />
    </>
  );
}

export function necklace({ random, palette: p }: Art) {
  const count = 15;
  const gem = random.pick([p.a, p.c]);
  return (
    <>
      <path d={`M-54 ${GROUND}c0-52 22-60 22-96v-66c0-18 64-18 64 0v66c0 36 22 44 22 96z`} fill={p.dark} opacity="0.85" />
      <path d={`M4 ${GROUND - 176}c14 0 28 4 28 14v66c0 36 22 44 22 96H20c8-60-2-110-16-176z`} fill="#fff" opacity="0.08" />
      {Array.from({ length: count }, (_, at) => {
        const turn = Math.PI * (0.06 + (0.88 * at) / (count - 1));
        const size = 6 + 3 * Math.sin(turn);
        return <circle key={at} cx={-Math.cos(turn) * 46} cy={GROUND - 138 + Math.sin(turn) * 74} r={size} fill={p.light} />;
      })}
      <path d={`M0 ${GROUND - 60}l17 14-17 28-17-28z`} fill={gem} />
      <path d={`M0 ${GROUND - 60}l17 14H-17z`} fill="#fff" opacity="0.35" />
      <rect x="-66" y={GROUND - 8} width="132" height="8" rx="3" fill={p.b} />
    </>
  );
}

export function wateringCan({ random, palette: p }: Art) {
  const can = random.pick([p.a, p.c]);
  return (
    <>
      <path d={`M-38 ${GROUND - 98}c-6-64 78-64 84-10`} fill="none" stroke={p.dark} strokeWidth="10" />
      <path d={`M46 ${GROUND - 84}c50-6 54 60 4 66`} fill="none" stroke={p.dark} strokeWidth="10" />
      <path d={`M-46 ${GROUND - 40}l-46-76 12-8 46 66z`} fill={can} />
      <path d={`M-110 ${GROUND - 112}l34-24 6 10-30 22z`} fill={p.b} />
      <path d={`M-50 ${GROUND - 102}H52l8 102H-58z`} fill={can} />
      <path d={`M18 ${GROUND - 102}h34l8 102H24z`} fill="#000" opacity="0.14" />
      <path d={`M-52 ${GROUND - 84}H54m-108 62H58`} stroke={p.light} strokeOpacity="0.8" strokeWidth="5" />
      {[
        [-118, 84],
        [-100, 66],
        [-112, 46],
        [-96, 30],
      ].map(([x, up]) => (
        <circle key={up} cx={x} cy={GROUND - up!} r="4" fill={p.light} />
      ))}
    </>
  );
}
