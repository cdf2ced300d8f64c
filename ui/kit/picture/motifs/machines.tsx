// Machines: computers, radios, cameras, televisions, typewriters.
import { GROUND, type Art } from '../art.ts';

export function computer({ random, palette: p }: Art) {
  const lines = Array.from({ length: 5 }, () => random.between(22, 78));
  return (
    <>
      <path d={`M-34 ${GROUND - 30}h68l10 22h-88z`} fill={p.dark} opacity="0.75" />
      <rect x="-82" y={GROUND - 158} width="164" height="130" rx="12" fill={p.light} />
      <path d={`M40 ${GROUND - 158}h30a12 12 0 0 1 12 12v106a12 12 0 0 1-12 12H40z`} fill="#000" opacity="0.07" />
      <rect x="-68" y={GROUND - 145} width="136" height="92" rx="8" fill={p.dark} />
      {lines.map((width, at) => (
        <rect
          key={at}
          x="-58"
          y={GROUND - 134 + at * 15}
          width={width}
          height="6"
          rx="3"
          fill={at % 3 === 0 ? p.b : at % 3 === 1 ? p.a : p.wall}
        />
      ))}
      <path d={`M14 ${GROUND - 145}h46L20 ${GROUND - 53}h-40z`} fill="#fff" opacity="0.07" />
      <circle cx="60" cy={GROUND - 40} r="4" fill={p.a} />
      <rect x="-86" y={GROUND - 14} width="150" height="14" rx="4" fill={p.c} />
      <path d={`M-78 ${GROUND - 9}h134`} stroke="#fff" strokeOpacity="0.5" strokeWidth="3" strokeDasharray="7 4" />
      <ellipse cx="82" cy={GROUND - 6} rx="13" ry="8" fill={p.a} />
    </>
  );
}

export function radio({ random, palette: p }: Art) {
  const needle = random.between(10, 62);
  return (
    <>
      <path d={`M50 ${GROUND - 108}L88 ${GROUND - 186}`} stroke={p.dark} strokeWidth="4" />
      <circle cx="88" cy={GROUND - 187} r="5" fill={p.a} />
      <path d={`M-62 ${GROUND - 108}q62-46 124 0`} fill="none" stroke={p.dark} strokeWidth="7" opacity="0.75" />
      <rect x="-92" y={GROUND - 112} width="184" height="108" rx="16" fill={p.a} />
      <path d={`M60 ${GROUND - 112}h16a16 16 0 0 1 16 16v76a16 16 0 0 1-16 16H60z`} fill="#000" opacity="0.15" />
      <circle cx="-42" cy={GROUND - 58} r="38" fill={p.light} />
      {[30, 22, 14].map((radius) => (
        <circle key={radius} cx="-42" cy={GROUND - 58} r={radius} fill="none" stroke={p.dark} strokeOpacity="0.5" strokeWidth="3" />
      ))}
      <circle cx="-42" cy={GROUND - 58} r="6" fill={p.dark} />
      <rect x="8" y={GROUND - 96} width="72" height="34" rx="6" fill={p.b} />
      <path d={`M14 ${GROUND - 72}h60`} stroke={p.dark} strokeOpacity="0.5" strokeWidth="6" strokeDasharray="1.5 5" />
      <path d={`M${8 + needle} ${GROUND - 94}v30`} stroke={p.a} strokeWidth="3" />
      <circle cx="28" cy={GROUND - 34} r="15" fill={p.c} />
      <circle cx="64" cy={GROUND - 34} r="15" fill={p.c} />
      <path d={`M28 ${GROUND - 34}l6-11M64 ${GROUND - 34}l-9-9`} stroke={p.light} strokeWidth="3" strokeLinecap="round" />
      <path d={`M-70 ${GROUND - 5}h20v5h-20zm120 0h20v5H50z`} fill={p.dark} />
    </>
  );
}

export function headphones({ random, palette: p }: Art) {
  const ring = random.pick([p.b, p.light]);
  return (
    <>
      <path
        d={`M-66 ${GROUND - 62}V${GROUND - 96}c0-90 132-90 132 0v34`}
        fill="none"
        stroke={p.dark}
        strokeWidth="15"
        strokeLinecap="round"
      />
      <path d={`M-54 ${GROUND - 132}c18-48 90-48 108 0`} fill="none" stroke={p.a} strokeWidth="13" strokeLinecap="round" />
      <rect x="-90" y={GROUND - 92} width="46" height="82" rx="22" fill={p.a} />
      <rect x="44" y={GROUND - 92} width="46" height="82" rx="22" fill={p.a} />
      <rect x="66" y={GROUND - 92} width="24" height="82" rx="12" fill="#000" opacity="0.18" />
      <rect x="-52" y={GROUND - 86} width="18" height="70" rx="9" fill={p.dark} />
      <rect x="34" y={GROUND - 86} width="18" height="70" rx="9" fill={p.dark} />
      <circle cx="-70" cy={GROUND - 51} r="9" fill={ring} />
      <path d={`M64 ${GROUND - 12}q10 12-34 8t-64 4q-42-2-70 1`} fill="none" stroke={p.dark} strokeWidth="3.5" />
    </>
  );
}

export function camera({ random, palette: p }: Art) {
  const body = random.pick([p.dark, p.c, p.a]);
  return (
    <>
      <path d={`M-84 ${GROUND - 100}c-34-54 26-70 84-66s118 12 84 66`} fill="none" stroke={p.a} strokeWidth="6" opacity="0.85" />
      <rect x="-88" y={GROUND - 108} width="176" height="108" rx="12" fill={body} />
      <path d={`M-88 ${GROUND - 84}v-12a12 12 0 0 1 12-12h34l12-18h60l12 18h34a12 12 0 0 1 12 12v12z`} fill={p.light} />
      <path d={`M40 ${GROUND - 108}h36a12 12 0 0 1 12 12v84a12 12 0 0 1-12 12H40z`} fill="#000" opacity="0.13" />
      <rect x="-76" y={GROUND - 120} width="26" height="13" rx="4" fill={p.a} />
      <rect x="54" y={GROUND - 100} width="22" height="12" rx="3" fill={p.b} />
      <rect x="-13" y={GROUND - 120} width="26" height="15" rx="3" fill={p.dark} />
      <circle cx="0" cy={GROUND - 48} r="44" fill={p.light} />
      <circle cx="0" cy={GROUND - 48} r="36" fill={p.dark} />
      <circle cx="0" cy={GROUND - 48} r="24" fill={p.c} />
      <circle cx="0" cy={GROUND - 48} r="14" fill={p.dark} />
      <circle cx="-9" cy={GROUND - 58} r="7" fill="#fff" opacity="0.75" />
      <circle cx="8" cy={GROUND - 38} r="3" fill="#fff" opacity="0.5" />
    </>
  );
}

export function television({ random, palette: p }: Art) {
  const hill = random.between(-18, 18);
  return (
    <>
      <path
        d={`M-4 ${GROUND - 138}L-44 ${GROUND - 192}M4 ${GROUND - 138}L40 ${GROUND - 184}`}
        stroke={p.dark}
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d={`M-56 ${GROUND - 14}l-12 14h10l14-14zm112 0l12 14h-10l-14-14z`} fill={p.dark} />
      <rect x="-94" y={GROUND - 140} width="188" height="128" rx="18" fill={p.a} />
      <path d={`M52 ${GROUND - 140}h24a18 18 0 0 1 18 18v92a18 18 0 0 1-18 18H52z`} fill="#000" opacity="0.15" />
      <rect x="-80" y={GROUND - 126} width="124" height="100" rx="20" fill={p.dark} />
      <clipPath id={`screen-${Math.round(hill * 1e6)}`}>
        <rect x="-74" y={GROUND - 120} width="112" height="88" rx="16" />
      </clipPath>
      <g clipPath={`url(#screen-${Math.round(hill * 1e6)})`}>
        <rect x="-74" y={GROUND - 120} width="112" height="88" fill={p.wall} />
        <circle cx={hill} cy={GROUND - 88} r="16" fill={p.b} />
        <path d={`M-74 ${GROUND - 58}q30-26 56-4t56-10v46H-74z`} fill={p.c} />
      </g>
      <circle cx="70" cy={GROUND - 106} r="13" fill={p.light} />
      <circle cx="70" cy={GROUND - 72} r="9" fill={p.b} />
      <path d={`M60 ${GROUND - 46}h20m-20 8h20m-20 8h20`} stroke={p.light} strokeWidth="3" strokeLinecap="round" />
    </>
  );
}

export function typewriter({ random, palette: p }: Art) {
  const words = Array.from({ length: 4 }, () => random.between(30, 76));
  return (
    <>
      <rect x="-50" y={GROUND - 182} width="100" height="98" rx="2" fill={p.light} />
      {words.map((width, at) => (
        <rect key={at} x="-40" y={GROUND - 168 + at * 14} width={width} height="4" rx="2" fill={p.dark} opacity="0.55" />
      ))}
      <rect x="-88" y={GROUND - 104} width="176" height="22" rx="11" fill={p.dark} />
      <circle cx="-90" cy={GROUND - 93} r="14" fill={p.b} />
      <circle cx="90" cy={GROUND - 93} r="14" fill={p.b} />
      <path d={`M-66 ${GROUND - 84}H66l26 72c2 8-4 12-10 12H-82c-6 0-12-4-10-12z`} fill={p.a} />
      <path d={`M30 ${GROUND - 84}h36l26 72c2 8-4 12-10 12H48z`} fill="#000" opacity="0.14" />
      {[0, 1, 2].map((row) => (
        <path
          key={row}
          d={`M${-52 - row * 8} ${GROUND - 58 + row * 19}h${104 + row * 16}`}
          stroke={p.light}
          strokeWidth="11"
          strokeLinecap="round"
          strokeDasharray="0.1 17.3"
        />
      ))}
    </>
  );
}
