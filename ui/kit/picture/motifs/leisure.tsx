// Leisure: music, film, travel, toys, clothes.
import { GROUND, type Art } from '../art.ts';

export function record({ random, palette: p }: Art) {
  const cover = random.integer(0, 2);
  return (
    <g transform={`translate(0 ${GROUND - 150})`}>
      <circle cx="44" cy="75" r="70" fill={p.dark} />
      {[62, 54, 46, 38].map((radius) => (
        <circle key={radius} cx="44" cy="75" r={radius} fill="none" stroke="#fff" strokeOpacity="0.13" strokeWidth="1.5" />
      ))}
      <path d="M44 5a70 70 0 0 1 50 21L44 75z" fill="#fff" opacity="0.1" />
      <circle cx="44" cy="75" r="24" fill={p.a} />
      <circle cx="44" cy="75" r="4" fill={p.light} />
      <rect x="-104" y="0" width="150" height="150" rx="2" fill={p.b} />
      {cover === 0 && <path d="M-104 150V90q40-40 75 0t75-20v80z" fill={p.a} />}
      {cover === 0 && <circle cx="-10" cy="46" r="24" fill={p.light} />}
      {cover === 1 &&
        [66, 50, 34, 18].map((radius, at) => <circle key={radius} cx="-29" cy="75" r={radius} fill={at % 2 ? p.light : p.c} />)}
      {cover === 2 &&
        [0, 1, 2, 3, 4].map((at) => (
          <rect
            key={at}
            x={-104 + at * 30}
            y={150 - random.between(30, 136)}
            width="30"
            height="150"
            fill={[p.a, p.c, p.light][at % 3]}
            clipPath="inset(0 0 0 0)"
          />
        ))}
      {cover === 2 && <rect x="-104" y="150" width="150" height="150" fill={p.table} />}
      <path d="M32 0h14v150H32z" fill="#000" opacity="0.12" />
    </g>
  );
}

export function guitar({ random, palette: p }: Art) {
  const wood = random.pick([p.a, p.b]);
  return (
    <g transform={`rotate(${random.between(9, 17)} 0 ${GROUND})`}>
      <rect x="-8" y={GROUND - 200} width="16" height="108" fill={p.dark} />
      <rect x="-13" y={GROUND - 214} width="26" height="30" rx="5" fill={p.dark} />
      <path d={`M-16 ${GROUND - 208}h-6m6 9h-6m6 9h-6m38-18h6m-6 9h6m-6 9h6`} stroke={p.light} strokeWidth="4" strokeLinecap="round" />
      <path
        d={`M0 ${GROUND - 114}c30-4 42 16 36 34-4 12 22 20 20 46-2 26-28 34-56 34s-54-8-56-34c-2-26 24-34 20-46-6-18 6-38 36-34z`}
        fill={wood}
      />
      <path d={`M0 ${GROUND - 114}c30-4 42 16 36 34-4 12 22 20 20 46-2 26-28 34-56 34 44-20 34-70 0-114z`} fill="#000" opacity="0.12" />
      <circle cx="0" cy={GROUND - 70} r="17" fill={p.dark} />
      <circle cx="0" cy={GROUND - 70} r="20.5" fill="none" stroke={p.light} strokeWidth="2" />
      <rect x="-20" y={GROUND - 34} width="40" height="9" rx="3" fill={p.dark} />
      <path
        d={`M-5 ${GROUND - 196}V${GROUND - 32}m5-164V${GROUND - 32}m5-164V${GROUND - 32}`}
        stroke={p.light}
        strokeOpacity="0.8"
        strokeWidth="1"
      />
    </g>
  );
}

export function film({ random, palette: p }: Art) {
  const turn = random.between(0, 72);
  return (
    <>
      <path d={`M-20 ${GROUND - 6}H104v-26H40c-20 0-40 10-60 26z`} fill={p.dark} />
      <path d={`M14 ${GROUND - 11}h88M30 ${GROUND - 27}h72`} stroke={p.light} strokeWidth="5" strokeDasharray="6 6" opacity="0.9" />
      <g transform={`translate(-18 ${GROUND - 84})`}>
        <circle r="84" fill={p.a} />
        <path d="M0-84a84 84 0 0 1 0 168 100 100 0 0 0 0-168z" fill="#000" opacity="0.14" />
        <circle r="73" fill="none" stroke="#fff" strokeOpacity="0.3" strokeWidth="3" />
        <g transform={`rotate(${turn})`}>
          {[0, 72, 144, 216, 288].map((angle) => (
            <circle key={angle} cx="0" cy="-44" r="20" fill={p.wallDeep} transform={`rotate(${angle})`} />
          ))}
        </g>
        <circle r="11" fill={p.light} />
        <circle r="4" fill={p.dark} />
      </g>
    </>
  );
}

export function suitcase({ random, palette: p }: Art) {
  const tag = random.pick([p.c, p.a]);
  return (
    <>
      <path d={`M-34 ${GROUND - 124}v-26c0-8 6-14 14-14h40c8 0 14 6 14 14v26`} fill="none" stroke={p.dark} strokeWidth="9" />
      <rect x="-92" y={GROUND - 128} width="184" height="128" rx="16" fill={p.b} />
      <path d={`M46 ${GROUND - 128}h30a16 16 0 0 1 16 16v96a16 16 0 0 1-16 16H46z`} fill="#000" opacity="0.13" />
      <path d={`M-66 ${GROUND - 128}h22V${GROUND}h-22zM44 ${GROUND - 128}h22V${GROUND}H44z`} fill={p.a} />
      <path d={`M-66 ${GROUND - 92}h22v14h-22zm110 0h22v14H44z`} fill={p.light} />
      <circle cx="0" cy={GROUND - 62} r="27" fill={p.light} />
      <path d={`M-20 ${GROUND - 54}l40-16-12 28-8-9z`} fill={tag} />
      <path d={`M30 ${GROUND - 158}l26 22-14 18-26-22z`} fill={p.light} transform="translate(8 18)" />
    </>
  );
}

export function bear({ random, palette: p }: Art) {
  const fur = random.pick([p.b, '#b98352', '#9a6a44', '#d8b48a']);
  return (
    <>
      <ellipse cx="-34" cy={GROUND - 20} rx="30" ry="20" fill={fur} />
      <ellipse cx="34" cy={GROUND - 20} rx="30" ry="20" fill={fur} />
      <ellipse cx="-42" cy={GROUND - 18} rx="13" ry="12" fill={p.light} opacity="0.8" />
      <ellipse cx="42" cy={GROUND - 18} rx="13" ry="12" fill={p.light} opacity="0.8" />
      <ellipse cx="0" cy={GROUND - 54} rx="46" ry="48" fill={fur} />
      <ellipse cx="0" cy={GROUND - 48} rx="26" ry="30" fill={p.light} opacity="0.45" />
      <ellipse cx="-50" cy={GROUND - 70} rx="16" ry="28" fill={fur} transform={`rotate(28 -50 ${GROUND - 70})`} />
      <ellipse cx="50" cy={GROUND - 70} rx="16" ry="28" fill={fur} transform={`rotate(-28 50 ${GROUND - 70})`} />
      <circle cx="-36" cy={GROUND - 166} r="19" fill={fur} />
      <circle cx="36" cy={GROUND - 166} r="19" fill={fur} />
      <circle cx="-36" cy={GROUND - 166} r="10" fill={p.light} opacity="0.6" />
      <circle cx="36" cy={GROUND - 166} r="10" fill={p.light} opacity="0.6" />
      <ellipse cx="0" cy={GROUND - 132} rx="49" ry="45" fill={fur} />
      <path d={`M0 ${GROUND - 177}a49 45 0 0 1 0 90 62 58 0 0 0 0-90z`} fill="#000" opacity="0.08" />
      <ellipse cx="0" cy={GROUND - 118} rx="22" ry="18" fill={p.light} opacity="0.9" />
      <ellipse cx="0" cy={GROUND - 126} rx="8" ry="6" fill={p.dark} />
      <path d={`M0 ${GROUND - 120}v7q-8 7-13 2m13-2q8 7 13 2`} fill="none" stroke={p.dark} strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="-19" cy={GROUND - 142} r="4.5" fill={p.dark} />
      <circle cx="19" cy={GROUND - 142} r="4.5" fill={p.dark} />
      <path d={`M0 ${GROUND - 90}l-26-13v26zm0 0l26-13v26z`} fill={p.a} />
      <circle cx="0" cy={GROUND - 90} r="7" fill={p.a} stroke="#000" strokeOpacity="0.2" strokeWidth="2" />
    </>
  );
}

export function train({ random, palette: p }: Art) {
  const puffs = random.integer(2, 3);
  return (
    <>
      {Array.from({ length: puffs }, (_, at) => (
        <circle key={at} cx={50 - at * 28} cy={GROUND - 142 - at * 16} r={12 + at * 6} fill={p.light} opacity={0.85 - at * 0.2} />
      ))}
      <path d={`M-110 ${GROUND - 2}h220`} stroke={p.dark} strokeWidth="5" />
      <rect x="-86" y={GROUND - 122} width="66" height="92" rx="5" fill={p.a} />
      <rect x="-94" y={GROUND - 132} width="82" height="14" rx="5" fill={p.dark} />
      <rect x="-74" y={GROUND - 106} width="42" height="34" rx="4" fill={p.wall} />
      <rect x="-22" y={GROUND - 88} width="100" height="58" rx="8" fill={p.c} />
      <path d={`M8 ${GROUND - 88}h12v58H8zm32 0h12v58H40z`} fill={p.b} />
      <path d={`M42 ${GROUND - 88}v-22h-6v-14h34v14h-6v22z`} fill={p.dark} />
      <circle cx="80" cy={GROUND - 62} r="11" fill={p.b} />
      <path d={`M78 ${GROUND - 30}h14l16 26H78z`} fill={p.a} />
      <path d={`M-86 ${GROUND - 34}H80v10H-86z`} fill={p.dark} />
      {[-60, 8, 56].map((x, at) => (
        <g key={x}>
          <circle cx={x} cy={at ? GROUND - 22 : GROUND - 27} r={at ? 20 : 26} fill={p.b} />
          <circle cx={x} cy={at ? GROUND - 22 : GROUND - 27} r={at ? 11 : 15} fill={p.dark} />
          <circle cx={x} cy={at ? GROUND - 22 : GROUND - 27} r="5" fill={p.light} />
        </g>
      ))}
    </>
  );
}

export function rocket({ random, palette: p }: Art) {
  const block = random.pick([p.b, p.c]);
  return (
    <>
      <path d={`M-28 ${GROUND - 46}l-34 46h40zm56 0l34 46h-40z`} fill={p.a} />
      <path d={`M0 ${GROUND - 206}c38 34 46 96 30 178h-60c-16-82-8-144 30-178z`} fill={p.light} />
      <path d={`M0 ${GROUND - 206}c38 34 46 96 30 178H4c20-60 20-120-4-178z`} fill="#000" opacity="0.12" />
      <path d={`M0 ${GROUND - 206}c15 13 25 31 31 52h-62c6-21 16-39 31-52z`} fill={p.a} />
      <circle cx="0" cy={GROUND - 116} r="19" fill={p.b} />
      <circle cx="0" cy={GROUND - 116} r="12" fill={p.c} />
      <rect x="-22" y={GROUND - 28} width="44" height="14" fill={p.dark} />
      <rect x="-112" y={GROUND - 44} width="44" height="44" rx="5" fill={block} />
      <path d={`M-90 ${GROUND - 34}l11 24h-22z`} fill={p.light} />
      <rect x="72" y={GROUND - 38} width="38" height="38" rx="5" fill={p.a} />
      <circle cx="91" cy={GROUND - 19} r="10" fill={p.light} />
    </>
  );
}

export function coat({ random, palette: p }: Art) {
  const lining = random.pick([p.b, p.light]);
  return (
    <>
      <path d={`M-12 ${GROUND - 200}c0-16 24-16 24-2 0 10-12 10-12 22`} fill="none" stroke={p.dark} strokeWidth="5" strokeLinecap="round" />
      <path d={`M0 ${GROUND - 182}L-58 ${GROUND - 156}h116z`} fill="none" stroke={p.dark} strokeWidth="5" strokeLinejoin="round" />
      <path
        d={`M-30 ${GROUND - 168}l-36 18c-14 8-18 30-26 88l28 6 10-46v94H54v-94l10 46 28-6c-8-58-12-80-26-88l-36-18-30 14z`}
        fill={p.a}
      />
      <path d={`M30 ${GROUND - 168}l36 18c14 8 18 30 26 88l-28 6-10-46v94H22z`} fill="#000" opacity="0.13" />
      <path d={`M-30 ${GROUND - 168}L0 ${GROUND - 96}l30-72-30 16z`} fill={lining} />
      <path d={`M-30 ${GROUND - 168}L0 ${GROUND - 96}l-26-14-14-46zm60 0L0 ${GROUND - 96}l26-14 14-46z`} fill={p.a} />
      <path d={`M-30 ${GROUND - 168}L0 ${GROUND - 96}l-26-14-14-46zm60 0L0 ${GROUND - 96}l26-14 14-46z`} fill="#fff" opacity="0.14" />
      <path d={`M0 ${GROUND - 96}V${GROUND - 8}`} stroke="#000" strokeOpacity="0.25" strokeWidth="3" />
      {[-78, -54, -30].map((y) => (
        <circle key={y} cx="10" cy={GROUND + y} r="4.5" fill={p.b} />
      ))}
      <path d={`M-44 ${GROUND - 48}h26v6h-26zm62 0h26v6H18z`} fill="#000" opacity="0.25" />
    </>
  );
}

export function shoes({ random, palette: p }: Art) {
  const stripe = random.pick([p.light, p.b]);
  const shoe = (x: number, y: number, fill: string) => (
    <g transform={`translate(${x} ${y})`}>
      <path d="M-84-4v-56c14 6 28 4 38-8 14 22 40 34 78 38 22 3 34 12 34 26z" fill={fill} />
      <path d="M-84-22h150l2 18H-84z" fill="#000" opacity="0.14" />
      <path d="M-90-6H68q8 0 6 8-2 8-10 8H-84q-8 0-6-16z" fill={p.light} />
      <path d="M-34-54l14-12m0 21l14-12m2 20l14-11" stroke={stripe} strokeWidth="5" strokeLinecap="round" />
      <path d="M-66-14l12-36m6 36l10-28" stroke={stripe} strokeWidth="7" strokeLinecap="round" />
    </g>
  );
  return (
    <>
      {shoe(22, GROUND - 46, p.c)}
      {shoe(-6, GROUND - 10, p.a)}
    </>
  );
}
