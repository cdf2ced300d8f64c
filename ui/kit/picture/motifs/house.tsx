// Furnishings: paintings, vases, armchairs, lamps, parcels.
import { GROUND, type Art } from '../art.ts';

export function painting({ random, palette: p }: Art) {
  const sun = random.between(-30, 30);
  const sea = random.chance(0.5);
  return (
    <g transform={`translate(0 ${GROUND - 176})`}>
      <rect x="-84" y="0" width="168" height="176" rx="3" fill={p.b} />
      <path d="M-84 0l14 14h140l14-14z" fill="#fff" opacity="0.28" />
      <path d="M84 0v176l-14-14V14z" fill="#000" opacity="0.16" />
      <rect x="-70" y="14" width="140" height="148" fill={p.light} />
      <rect x="-58" y="26" width="116" height="124" fill={sea ? p.wallDeep : p.wall} />
      <circle cx={sun} cy="64" r="20" fill={p.a} />
      <path d="M-58 104l36-38 30 32 22-20 28 30v42H-58z" fill={p.c} />
      {sea ? (
        <path d="M-58 118q14-7 29 0t29 0 29 0 29 0v32H-58z" fill={p.light} opacity="0.75" />
      ) : (
        <path d="M-58 124q40-18 66-4t50-6v36H-58z" fill={p.dark} opacity="0.6" />
      )}
    </g>
  );
}

export function vases({ random, palette: p }: Art) {
  const blooms = random.integer(2, 4);
  return (
    <>
      {Array.from({ length: blooms }, (_, at) => {
        const lean = (at - (blooms - 1) / 2) * 30;
        const high = GROUND - 150 - random.between(0, 34);
        return (
          <g key={at}>
            <path d={`M-22 ${GROUND - 96}Q${-22 + lean / 2} ${high + 50} ${-22 + lean} ${high}`} fill="none" stroke={p.c} strokeWidth="4" />
            <circle cx={-22 + lean} cy={high} r="15" fill={p.a} />
            <circle cx={-22 + lean} cy={high} r="6" fill={p.b} />
          </g>
        );
      })}
      <path d={`M-36 ${GROUND - 104}h28c0 22 24 30 24 62 0 24-12 42-38 42s-38-18-38-42c0-32 24-40 24-62z`} fill={p.light} />
      <path d={`M-8 ${GROUND - 104}c0 22 24 30 24 62 0 24-12 42-38 42 22-8 24-34 16-58-5-16-4-30-2-46z`} fill={p.dark} opacity="0.14" />
      <path d={`M-58 ${GROUND - 56}q36 14 72 0v14q-36 14-74 0z`} fill={p.a} />
      <path d={`M30 ${GROUND - 70}h26l-3 10c18 10 20 22 20 32 0 18-12 28-30 28s-30-10-30-28c0-10 2-22 20-32z`} fill={p.c} />
      <path d={`M56 ${GROUND - 60}c18 10 18 22 18 32 0 18-13 28-31 28 20-10 22-36 10-60z`} fill="#000" opacity="0.18" />
    </>
  );
}

export function armchair({ random, palette: p }: Art) {
  const cushion = random.pick([p.b, p.light]);
  return (
    <>
      <path d={`M-54 ${GROUND - 16}l-8 16h9l9-16zm108 0l8 16h-9l-9-16z`} fill={p.dark} />
      <path d={`M-56 ${GROUND - 70}v-46c0-34 26-48 56-48s56 14 56 48v46z`} fill={p.a} />
      <path d={`M20 ${GROUND - 161}c22 6 36 20 36 45v46H30z`} fill="#000" opacity="0.13" />
      <rect x="-58" y={GROUND - 72} width="116" height="58" rx="10" fill={p.a} />
      <rect x="-52" y={GROUND - 82} width="104" height="30" rx="12" fill={p.a} />
      <rect x="-52" y={GROUND - 82} width="104" height="30" rx="12" fill="#fff" opacity="0.16" />
      <rect x="-84" y={GROUND - 98} width="34" height="84" rx="16" fill={p.a} />
      <rect x="50" y={GROUND - 98} width="34" height="84" rx="16" fill={p.a} />
      <rect x="50" y={GROUND - 98} width="34" height="84" rx="16" fill="#000" opacity="0.2" />
      <rect x="-30" y={GROUND - 122} width="60" height="48" rx="10" fill={cushion} transform={`rotate(-8 0 ${GROUND - 98})`} />
    </>
  );
}

export function deskLamp({ random, palette: p }: Art) {
  const lean = random.between(-6, 8);
  return (
    <>
      <path d={`M-92 ${GROUND}l44-122h24L72 ${GROUND}z`} fill={p.b} opacity="0.22" transform="translate(14 0)" />
      <rect x="20" y={GROUND - 20} width="74" height="20" rx="3" fill={p.c} />
      <rect x="26" y={GROUND - 38} width="62" height="18" rx="3" fill={p.light} />
      <path d={`M28 ${GROUND - 33}h56m-56 6h56`} stroke={p.dark} strokeOpacity="0.25" strokeWidth="1.5" />
      <path d={`M-58 ${GROUND}q0-14 26-14t26 14z`} fill={p.dark} />
      <g transform={`rotate(${lean} -32 ${GROUND - 12})`}>
        <path
          d={`M-32 ${GROUND - 12}L4 ${GROUND - 92}L-28 ${GROUND - 148}`}
          fill="none"
          stroke={p.dark}
          strokeWidth="7"
          strokeLinejoin="round"
        />
        <circle cx="4" cy={GROUND - 92} r="8" fill={p.b} />
        <path d={`M-14 ${GROUND - 170}l-24 14c-26 14-38 36-36 58l76-42c-2-14-8-22-16-30z`} fill={p.a} />
        <path d={`M-74 ${GROUND - 98}l76-42c4 20-20 30-34 38-16 9-34 12-42 4z`} fill={p.light} opacity="0.9" />
      </g>
    </>
  );
}

export function parcel({ random, palette: p }: Art) {
  const small = random.chance(0.5);
  return (
    <>
      <path d={`M-74 ${GROUND - 104}h148V${GROUND}H-74z`} fill={p.a} />
      <path d={`M28 ${GROUND - 104}h46V${GROUND}H28z`} fill="#000" opacity="0.14" />
      <rect x="-82" y={GROUND - 126} width="164" height="28" rx="4" fill={p.a} />
      <rect x="-82" y={GROUND - 126} width="164" height="28" rx="4" fill="#fff" opacity="0.15" />
      <path d={`M-14 ${GROUND - 126}h28V${GROUND}h-28z`} fill={p.b} />
      <path d={`M0 ${GROUND - 126}c-14-38-62-40-60-14 1 14 40 16 60 14zm0 0c14-38 62-40 60-14-1 14-40 16-60 14z`} fill={p.b} />
      <path
        d={`M0 ${GROUND - 126}c-10-20-40-26-42-13 0 9 24 12 42 13zm0 0c10-20 40-26 42-13 0 9-24 12-42 13z`}
        fill="#000"
        opacity="0.16"
      />
      {small && <path d={`M84 ${GROUND - 44}h52V${GROUND}H84z`} fill={p.c} transform="translate(-22 0)" />}
      {small && <path d={`M84 ${GROUND - 26}h52v9H84z`} fill={p.light} transform="translate(-22 0)" />}
    </>
  );
}
