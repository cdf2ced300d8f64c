// Instruments: telescopes, clocks, telephones, violins, microphones, globes.
import { GROUND, type Art } from '../art.ts';

export function telescope({ random, palette: p }: Art) {
  const lift = random.between(-34, -24);
  return (
    <>
      <path
        d={`M0 ${GROUND - 92}L-46 ${GROUND}M0 ${GROUND - 92}L46 ${GROUND}M0 ${GROUND - 92}V${GROUND - 6}`}
        stroke={p.dark}
        strokeWidth="8"
        strokeLinecap="round"
      />
      <circle cx="0" cy={GROUND - 94} r="15" fill={p.b} />
      <g transform={`translate(0 ${GROUND - 104}) rotate(${lift})`}>
        <rect x="-96" y="-13" width="62" height="26" rx="4" fill={p.c} />
        <rect x="-40" y="-19" width="72" height="38" rx="4" fill={p.a} />
        <rect x="26" y="-26" width="78" height="52" rx="5" fill={p.b} />
        <path d="M-96 2h62v11h-62zM-40 3h72v16h-72zM26 4h78v22H26z" fill="#000" opacity="0.15" />
        <rect x="96" y="-30" width="13" height="60" rx="4" fill={p.dark} />
        <rect x="-106" y="-9" width="14" height="18" rx="3" fill={p.dark} />
      </g>
      <path d={`M-70 ${GROUND - 176}l3 9 9 3-9 3-3 9-3-9-9-3 9-3zM-34 ${GROUND - 192}l2 6 6 2-6 2-2 6-2-6-6-2 6-2z`} fill={p.light} />
    </>
  );
}

export function mantelClock({ random, palette: p }: Art) {
  const hour = random.between(0, 360);
  const minute = random.between(0, 360);
  return (
    <>
      <rect x="-88" y={GROUND - 18} width="176" height="18" rx="3" fill={p.a} />
      <path d={`M-72 ${GROUND - 18}v-74c0-94 144-94 144 0v74z`} fill={p.a} />
      <path d={`M36 ${GROUND - 150}c22 12 36 32 36 58v74H44z`} fill="#000" opacity="0.16" />
      <rect x="-88" y={GROUND - 18} width="176" height="5" fill="#fff" opacity="0.2" />
      <circle cx="0" cy={GROUND - 88} r="53" fill={p.b} />
      <circle cx="0" cy={GROUND - 88} r="45" fill={p.light} />
      <g transform={`translate(0 ${GROUND - 88})`}>
        <circle r="37" fill="none" stroke={p.dark} strokeWidth="7" strokeDasharray="2.5 16.87" strokeDashoffset="1.2" />
        <path d="M0 4V-21" stroke={p.dark} strokeWidth="5" strokeLinecap="round" transform={`rotate(${hour})`} />
        <path d="M0 5V-33" stroke={p.dark} strokeWidth="3.5" strokeLinecap="round" transform={`rotate(${minute})`} />
        <circle r="4" fill={p.a} />
      </g>
      <path d={`M-40 ${GROUND - 28}h80`} stroke={p.b} strokeWidth="5" strokeLinecap="round" />
    </>
  );
}

export function telephone({ random, palette: p }: Art) {
  const turn = random.between(-20, 20);
  return (
    <>
      <path d={`M-54 ${GROUND - 92}h108l34 78c4 9-2 14-10 14H-78c-8 0-14-5-10-14z`} fill={p.a} />
      <path d={`M20 ${GROUND - 92}h34l34 78c4 9-2 14-10 14H44z`} fill="#000" opacity="0.14" />
      <path d={`M-34 ${GROUND - 92}v-20h12v14h44v-14h12v20z`} fill={p.dark} />
      <path
        d={`M-92 ${GROUND - 108}c-8-44 40-54 92-54s100 10 92 54c-1 8-38 8-40-2-1-12-12-14-52-14s-51 2-52 14c-2 10-39 10-40 2z`}
        fill={p.a}
      />
      <path d={`M-92 ${GROUND - 108}c-8-44 40-54 92-54s100 10 92 54c-20-30-52-34-92-34s-72 4-92 34z`} fill="#fff" opacity="0.16" />
      <circle cx="0" cy={GROUND - 46} r="36" fill={p.light} />
      <g transform={`translate(0 ${GROUND - 46}) rotate(${turn})`} fill={p.dark}>
        {Array.from({ length: 10 }, (_, at) => (
          <circle key={at} cx="0" cy="-26" r="5.5" transform={`rotate(${at * 30 - 60})`} />
        ))}
      </g>
      <circle cx="0" cy={GROUND - 46} r="13" fill={p.b} />
    </>
  );
}

export function violin({ random, palette: p }: Art) {
  const wood = random.pick([p.a, '#a2562b', '#8a3f22']);
  return (
    <g transform={`rotate(${random.between(-16, -9)} 0 ${GROUND})`}>
      <path d={`M74 ${GROUND - 190}L92 ${GROUND - 2}`} stroke={p.b} strokeWidth="4" strokeLinecap="round" />
      <path d={`M69 ${GROUND - 188}L84 ${GROUND - 4}`} stroke={p.light} strokeWidth="2" />
      <path
        d={`M0 ${GROUND - 128}c26-2 40 12 34 30-5 14-14 18-6 28 16 8 20 24 18 38-3 22-24 32-46 32s-43-10-46-32c-2-14 2-30 18-38 8-10-1-14-6-28-6-18 8-32 34-30z`}
        fill={wood}
      />
      <path
        d={`M0 ${GROUND - 128}c26-2 40 12 34 30-5 14-14 18-6 28 16 8 20 24 18 38-3 22-24 32-46 32 34-20 22-90 0-128z`}
        fill="#000"
        opacity="0.13"
      />
      <path d={`M-7 ${GROUND - 204}H7l-2 134H-5z`} fill={p.dark} />
      <path d={`M-14 ${GROUND - 196}h8m12 8h8m-28 6h8`} stroke={p.b} strokeWidth="4" strokeLinecap="round" />
      <circle cx="0" cy={GROUND - 208} r="8" fill={wood} />
      <path d={`M-22 ${GROUND - 66}q-6 12 2 26m42-26q6 12-2 26`} fill="none" stroke={p.dark} strokeWidth="3.5" strokeLinecap="round" />
      <path d={`M-15 ${GROUND - 52}h30`} stroke={p.light} strokeWidth="4" />
      <path d={`M-10 ${GROUND - 34}h20l-5 26h-10z`} fill={p.dark} />
    </g>
  );
}

export function microphone({ random, palette: p }: Art) {
  const bars = random.integer(3, 4);
  return (
    <>
      <path d={`M-46 ${GROUND}c0-16 20-22 46-22s46 6 46 22z`} fill={p.dark} />
      <rect x="-5" y={GROUND - 78} width="10" height="62" fill={p.dark} />
      <path d={`M-58 ${GROUND - 124}c0 68 116 68 116 0`} fill="none" stroke={p.b} strokeWidth="8" strokeLinecap="round" />
      <rect x="-42" y={GROUND - 196} width="84" height="118" rx="40" fill={p.light} />
      <path d={`M6 ${GROUND - 196}c30 2 36 24 36 40v38c0 20-8 40-36 40z`} fill="#000" opacity="0.12" />
      {Array.from({ length: bars }, (_, at) => (
        <rect key={at} x="-30" y={GROUND - 178 + at * 15} width="60" height="8" rx="4" fill={p.dark} opacity="0.75" />
      ))}
      <rect x="-42" y={GROUND - 118} width="84" height="13" fill={p.a} />
    </>
  );
}

export function globe({ random, palette: p }: Art) {
  const turn = random.between(-24, 24);
  return (
    <>
      <path d={`M-50 ${GROUND}c0-14 22-18 50-18s50 4 50 18z`} fill={p.table} />
      <path d={`M-50 ${GROUND}c0-14 22-18 50-18s50 4 50 18z`} fill="#000" opacity="0.3" />
      <rect x="-6" y={GROUND - 42} width="12" height="28" fill={p.b} />
      <path d={`M-40 ${GROUND - 182}a78 78 0 1 0 96 122`} fill="none" stroke={p.b} strokeWidth="8" strokeLinecap="round" />
      <circle cx="4" cy={GROUND - 112} r="66" fill={p.c} />
      <g transform={`rotate(${turn} 4 ${GROUND - 112})`} fill={p.light} opacity="0.9">
        <path d={`M-44 ${GROUND - 142}c18-20 44-24 52-14s-8 20-4 32-16 24-26 14-32-16-22-32z`} />
        <path d={`M26 ${GROUND - 116}c14-10 32-4 32 10s-16 34-26 30-2-18-8-24-6-12 2-16z`} />
        <path d={`M-24 ${GROUND - 70}c10-6 22 0 20 8s-24 6-20-8z`} />
      </g>
      <path d={`M4 ${GROUND - 178}a66 66 0 0 1 0 132 84 84 0 0 0 0-132z`} fill="#000" opacity="0.14" />
      <circle cx="-22" cy={GROUND - 142} r="11" fill="#fff" opacity="0.25" />
    </>
  );
}

export function flask({ random, palette: p }: Art) {
  const level = random.between(46, 70);
  const half = 18 + (level / 100) * 8;
  return (
    <>
      <path d={`M-70 ${GROUND - 150}h44v14h-6v46l44 74c6 10 0 16-10 16H-98c-10 0-16-6-10-16l44-74v-46h-6z`} fill={p.light} opacity="0.75" />
      <path
        d={`M${-48 - half - level * 0.35} ${GROUND - level}h${2 * half + level * 0.7}l30 44c6 10 0 16-10 16H-98c-10 0-16-6-10-16z`}
        fill={p.a}
        opacity="0.92"
      />
      <circle cx="-58" cy={GROUND - 30} r="7" fill="#fff" opacity="0.5" />
      <circle cx="-34" cy={GROUND - 44} r="4.5" fill="#fff" opacity="0.5" />
      <circle cx="-50" cy={GROUND - 164} r="8" fill={p.a} opacity="0.5" />
      <circle cx="-38" cy={GROUND - 184} r="5" fill={p.a} opacity="0.35" />
      <rect x="30" y={GROUND - 22} width="86" height="10" rx="3" fill={p.dark} />
      <path d={`M40 ${GROUND - 12}v12h10v-12zm56 0v12h10v-12z`} fill={p.dark} />
      {[p.b, p.c, p.a].map((fill, at) => (
        <g key={at}>
          <path d={`M${38 + at * 25} ${GROUND - 116}h18v84a9 9 0 0 1-18 0z`} fill={p.light} opacity="0.75" />
          <path d={`M${38 + at * 25} ${GROUND - 62 - at * 10}h18v${30 + at * 10}a9 9 0 0 1-18 0z`} fill={fill} />
        </g>
      ))}
    </>
  );
}
