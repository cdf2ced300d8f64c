// Everyday things: pots, bags, tools, lanterns, bicycles, hats, dresses, chairs, signs, tickets.
import { GROUND, type Art } from '../art.ts';

export function teapot({ random, palette: p }: Art) {
  const dots = random.integer(3, 5);
  return (
    <>
      <path d={`M-64 ${GROUND - 92}c-40-6-54 18-42 42s34 30 52 26`} fill="none" stroke={p.a} strokeWidth="13" />
      <path d={`M56 ${GROUND - 66}c22-4 24-44 44-52l8 10c-14 12-14 62-48 76z`} fill={p.a} />
      <path d={`M-68 ${GROUND - 62}c0-40 30-58 68-58s68 18 68 58-30 62-68 62-68-22-68-62z`} fill={p.a} />
      <path d={`M26 ${GROUND - 116}c26 8 42 26 42 54 0 40-30 62-68 62 40-18 50-74 26-116z`} fill="#000" opacity="0.14" />
      <path d={`M-66 ${GROUND - 70}q66 22 132 0l2 14q-66 22-136 0z`} fill={p.light} opacity="0.9" />
      {Array.from({ length: dots }, (_, at) => (
        <circle key={at} cx={-44 + (at * 88) / (dots - 1)} cy={GROUND - 55 - Math.abs(at - (dots - 1) / 2) * -1} r="5" fill={p.b} />
      ))}
      <path d={`M-40 ${GROUND - 116}c4-20 76-20 80 0z`} fill={p.b} />
      <circle cx="0" cy={GROUND - 138} r="9" fill={p.dark} />
    </>
  );
}

export function satchel({ random, palette: p }: Art) {
  const leather = random.pick([p.a, '#96592f', p.c]);
  return (
    <>
      <path d={`M-46 ${GROUND - 104}c0-86 92-86 92 0`} fill="none" stroke={leather} strokeWidth="11" />
      <rect x="-86" y={GROUND - 112} width="172" height="112" rx="14" fill={leather} />
      <path d={`M-86 ${GROUND - 98}a14 14 0 0 1 14-14H72a14 14 0 0 1 14 14v28c0 20-40 26-86 26s-86-6-86-26z`} fill="#fff" opacity="0.16" />
      <path d={`M44 ${GROUND - 112}h28a14 14 0 0 1 14 14v84a14 14 0 0 1-14 14H44z`} fill="#000" opacity="0.12" />
      <rect x="-12" y={GROUND - 62} width="24" height="30" rx="4" fill={p.b} />
      <circle cx="0" cy={GROUND - 44} r="4" fill={p.dark} />
      <path d={`M-76 ${GROUND - 10}H76`} stroke={p.light} strokeOpacity="0.6" strokeWidth="2" strokeDasharray="6 4" />
    </>
  );
}

export function toolbox({ random, palette: p }: Art) {
  const lean = random.between(-6, 6);
  return (
    <>
      <g transform={`rotate(${-12 + lean} -30 ${GROUND - 80})`}>
        <rect x="-36" y={GROUND - 170} width="12" height="110" rx="3" fill={p.b} />
        <path d={`M-62 ${GROUND - 190}h56q12 2 14 14l-12 8h-58z`} fill={p.dark} />
      </g>
      <g transform={`rotate(${14 + lean} 34 ${GROUND - 80})`}>
        <path d={`M28 ${GROUND - 168}v108h14v-108c16-8 16-32 2-38v22l-9 6-9-6v-22c-14 6-14 30 2 38z`} fill={p.light} />
      </g>
      <path d={`M-46 ${GROUND - 84}v-24h92v24`} fill="none" stroke={p.dark} strokeWidth="8" />
      <rect x="-92" y={GROUND - 84} width="184" height="84" rx="6" fill={p.a} />
      <rect x="-92" y={GROUND - 84} width="184" height="24" rx="6" fill="#fff" opacity="0.18" />
      <path d={`M52 ${GROUND - 84}h34a6 6 0 0 1 6 6v72a6 6 0 0 1-6 6H52z`} fill="#000" opacity="0.14" />
      <path d={`M-58 ${GROUND - 68}h18v20h-18zm98 0h18v20H40z`} fill={p.b} />
    </>
  );
}

export function lantern({ random, palette: p }: Art) {
  const glow = random.between(24, 32);
  return (
    <>
      <circle cx="0" cy={GROUND - 78} r={glow * 3} fill={p.b} opacity="0.16" />
      <path d={`M-34 ${GROUND - 134}c0-60 68-60 68 0`} fill="none" stroke={p.dark} strokeWidth="6" />
      <path d={`M-40 ${GROUND - 134}h80l-16-22h-48z`} fill={p.a} />
      <rect x="-46" y={GROUND - 134} width="92" height="12" rx="3" fill={p.dark} />
      <rect x="-38" y={GROUND - 122} width="76" height="92" fill={p.light} opacity="0.7" />
      <path d={`M0 ${GROUND - 112}c22 28 22 52 0 62-22-10-22-34 0-62z`} fill={p.b} />
      <path d={`M0 ${GROUND - 88}c10 14 10 28 0 34-10-6-10-20 0-34z`} fill={p.a} />
      <path d={`M-38 ${GROUND - 122}v92m76-92v92M0 ${GROUND - 122}v8`} stroke={p.dark} strokeWidth="5" />
      <path d={`M-52 ${GROUND - 32}H52l8 32H-60z`} fill={p.a} />
      <path d={`M16 ${GROUND - 32}h36l8 32H24z`} fill="#000" opacity="0.15" />
    </>
  );
}

export function bicycle({ random, palette: p }: Art) {
  const basket = random.chance(0.5);
  const wheel = (x: number) => (
    <g>
      <circle cx={x} cy={GROUND - 46} r="44" fill="none" stroke={p.dark} strokeWidth="7" />
      <circle cx={x} cy={GROUND - 46} r="36" fill="none" stroke={p.light} strokeWidth="2" strokeDasharray="1 8" />
      <path
        d={`M${x - 36} ${GROUND - 46}h72M${x} ${GROUND - 82}v72M${x - 25} ${GROUND - 71}l50 50m0-50l-50 50`}
        stroke={p.light}
        strokeOpacity="0.7"
        strokeWidth="1.5"
      />
    </g>
  );
  return (
    <g transform="translate(-2 0)">
      {wheel(-66)}
      {wheel(66)}
      <path
        d={`M-66 ${GROUND - 46}L-26 ${GROUND - 118}H44L4 ${GROUND - 46}zM4 ${GROUND - 46}L-34 ${GROUND - 134}M66 ${GROUND - 46}L38 ${GROUND - 142}h22`}
        fill="none"
        stroke={p.a}
        strokeWidth="8"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path d={`M-52 ${GROUND - 138}h34`} stroke={p.dark} strokeWidth="11" strokeLinecap="round" />
      <circle cx="4" cy={GROUND - 46} r="12" fill={p.b} />
      <path d={`M4 ${GROUND - 46}l8 26h10`} fill="none" stroke={p.dark} strokeWidth="5" strokeLinecap="round" />
      <path d={`M58 ${GROUND - 142}q16 2 14 14`} fill="none" stroke={p.dark} strokeWidth="7" strokeLinecap="round" />
      {basket && <path d={`M52 ${GROUND - 128}h46l-8 38H60z`} fill={p.b} />}
      {basket && <path d={`M54 ${GROUND - 116}h42m-40 12h38`} stroke={p.dark} strokeOpacity="0.3" strokeWidth="3" />}
    </g>
  );
}

export function hat({ random, palette: p }: Art) {
  const feather = random.chance(0.6);
  return (
    <>
      {feather && <path d={`M38 ${GROUND - 62}c30-22 52-70 44-112-30 12-56 62-52 108z`} fill={p.b} />}
      {feather && <path d={`M36 ${GROUND - 58}c20-34 34-66 44-112`} fill="none" stroke={p.light} strokeWidth="2.5" />}
      <path d={`M-54 ${GROUND - 36}c-2-52 2-98 22-104 12-4 20 8 32 8s20-12 32-8c20 6 24 52 22 104z`} fill={p.a} />
      <path d={`M20 ${GROUND - 138}c26-10 36 36 34 102H24c10-34 8-70-4-102z`} fill="#000" opacity="0.15" />
      <path d={`M-55 ${GROUND - 62}q55 18 110 0v28h-110z`} fill={p.dark} />
      <path d={`M-108 ${GROUND - 26}c40-20 176-20 216 0 6 14-38 26-108 26s-114-12-108-26z`} fill={p.a} />
      <path d={`M-108 ${GROUND - 26}c40-20 176-20 216 0-40 16-176 16-216 0z`} fill="#fff" opacity="0.13" />
    </>
  );
}

export function dress({ random, palette: p }: Art) {
  const dots = random.chance(0.5);
  return (
    <>
      <path d={`M-10 ${GROUND - 204}c0-14 20-14 20 0 0 8-10 8-10 16`} fill="none" stroke={p.dark} strokeWidth="5" strokeLinecap="round" />
      <path d={`M0 ${GROUND - 190}l-36 16h72z`} fill="none" stroke={p.dark} strokeWidth="5" strokeLinejoin="round" />
      <path
        d={`M-34 ${GROUND - 176}q8 30 34 30t34-30l10 6c-4 24-16 38-16 62l54 96c-24 14-140 14-164 0l54-96c0-24-12-38-16-62z`}
        fill={p.a}
      />
      <path d={`M34 ${GROUND - 176}l10 6c-4 24-16 38-16 62l54 96c-14 8-34 10-54 11z`} fill="#000" opacity="0.13" />
      <path d={`M-29 ${GROUND - 112}q29 10 58 0v14q-29 10-58 0z`} fill={p.b} />
      {dots &&
        [
          [-30, 60],
          [0, 70],
          [30, 58],
          [-46, 30],
          [-16, 38],
          [16, 36],
          [48, 28],
        ].map(([x, up]) => <circle key={`${x}${up}`} cx={x} cy={GROUND - up!} r="5" fill={p.light} opacity="0.85" />)}
      {!dots && (
        <path
          d={`M-10 ${GROUND - 98}L-34 ${GROUND - 8}M10 ${GROUND - 98}L34 ${GROUND - 8}M0 ${GROUND - 97}V${GROUND - 4}`}
          stroke={p.light}
          strokeOpacity="0.5"
          strokeWidth="3"
        />
      )}
    </>
  );
}

export function desk({ random, palette: p }: Art) {
  const wood = random.pick([p.a, '#9c6236', '#7d4a2b']);
  return (
    <>
      <path d={`M-84 ${GROUND - 84}l-6 84h14l10-84zm168 0l6 84H76l-10-84z`} fill={wood} />
      <rect x="-100" y={GROUND - 106} width="200" height="16" rx="3" fill={wood} />
      <rect x="-86" y={GROUND - 90} width="172" height="40" fill={wood} />
      <rect x="-86" y={GROUND - 90} width="172" height="40" fill="#000" opacity="0.18" />
      <rect x="-100" y={GROUND - 106} width="200" height="5" rx="2" fill="#fff" opacity="0.25" />
      <path d={`M-78 ${GROUND - 84}h70v28h-70zm86 0h70v28H8z`} fill={wood} />
      <circle cx="-43" cy={GROUND - 70} r="4.5" fill={p.b} />
      <circle cx="43" cy={GROUND - 70} r="4.5" fill={p.b} />
      <path d={`M-70 ${GROUND - 106}h42v-10h-42zm4-10h34v-9h-34z`} fill={p.c} />
      <path d={`M44 ${GROUND - 106}v-26a15 15 0 0 1 30 0v26z`} fill={p.light} />
      <path d={`M59 ${GROUND - 146}q-12-16-2-32 12 14 2 32zm4 2q10-16 24-14-4 16-24 14z`} fill="#5f8a64" />
    </>
  );
}

export function sign({ random, palette: p }: Art) {
  const shape = random.integer(0, 1);
  return (
    <>
      <path d={`M-96 ${GROUND - 200}H60`} stroke={p.dark} strokeWidth="8" strokeLinecap="round" />
      <path d={`M-90 ${GROUND}V${GROUND - 206}`} stroke={p.dark} strokeWidth="10" strokeLinecap="round" />
      <path d={`M-40 ${GROUND - 198}v22m76-22v22`} stroke={p.dark} strokeWidth="4" />
      {shape === 0 ? (
        <circle cx="-2" cy={GROUND - 114} r="66" fill={p.a} />
      ) : (
        <rect x="-76" y={GROUND - 176} width="148" height="118" rx="16" fill={p.a} />
      )}
      {shape === 0 ? (
        <circle cx="-2" cy={GROUND - 114} r="57" fill="none" stroke={p.light} strokeWidth="4" />
      ) : (
        <rect x="-67" y={GROUND - 167} width="130" height="100" rx="10" fill="none" stroke={p.light} strokeWidth="4" />
      )}
      <path d={`M-2 ${GROUND - 156}l7 14 15 2-11 11 3 15-14-7-14 7 3-15-11-11 15-2z`} fill={p.b} />
      <path d={`M-40 ${GROUND - 98}h76m-62 16h48`} stroke={p.light} strokeWidth="8" strokeLinecap="round" />
    </>
  );
}

export function tickets({ random, palette: p }: Art) {
  const ticket = (x: number, y: number, turn: number, fill: string) => (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <path d="M-82-42H82v26a16 16 0 0 0 0 32v26H-82v-26a16 16 0 0 0 0-32z" fill={fill} />
      <path d="M38-42V42" stroke={p.light} strokeWidth="3" strokeDasharray="5 6" />
      <path d="M-62-18h76M-62 0h54m-54 18h66" stroke={p.light} strokeWidth="7" strokeLinecap="round" opacity="0.9" />
      <path d="M58-14l4 8 9 1-7 6 2 9-8-4-8 4 2-9-7-6 9-1z" fill={p.light} />
    </g>
  );
  const first = random.between(-20, -12);
  return (
    <>
      {ticket(-8, GROUND - 118, first, p.c)}
      {ticket(10, GROUND - 74, first + 20, p.a)}
    </>
  );
}
