// Small treasures: coins, rings, watches, stamps, medals, books.
import { GROUND, type Art } from '../art.ts';

export function coins({ random, palette: p }: Art) {
  const stack = (x: number, count: number, tone: string) =>
    Array.from({ length: count }, (_, at) => {
      const y = GROUND - 10 - at * 13;
      return (
        <g key={`${x}-${at}`}>
          <path d={`M${x - 34} ${y}v-9h68v9a34 10 0 0 1-68 0z`} fill={tone} />
          <path d={`M${x + 6} ${y}v-9h28v9q-6 8-28 10z`} fill="#000" opacity="0.2" />
          <ellipse cx={x} cy={y - 9} rx="34" ry="10" fill={tone} />
          <ellipse cx={x} cy={y - 9} rx="34" ry="10" fill="#fff" opacity="0.22" />
          <ellipse cx={x} cy={y - 9} rx="25" ry="6.5" fill="none" stroke="#000" strokeOpacity="0.18" strokeWidth="2" />
        </g>
      );
    });
  const star = Array.from({ length: 10 }, (_, at) => {
    const radius = at % 2 ? 12 : 28;
    const angle = (at * Math.PI) / 5 - Math.PI / 2;
    return `${(Math.cos(angle) * radius).toFixed(1)},${(Math.sin(angle) * radius).toFixed(1)}`;
  }).join(' ');
  return (
    <>
      <g transform={`translate(34 ${GROUND - 112})`}>
        <circle r="58" fill={p.b} />
        <path d="M0-58a58 58 0 0 1 0 116 76 76 0 0 0 0-116z" fill="#000" opacity="0.14" />
        <circle r="46" fill="none" stroke="#000" strokeOpacity="0.22" strokeWidth="3" strokeDasharray="2 5" />
        <polygon points={star} fill={p.light} opacity="0.9" />
      </g>
      {stack(-62, random.integer(4, 7), p.b)}
      {stack(12, random.integer(1, 3), p.light)}
      {stack(84, random.integer(2, 4), p.a)}
    </>
  );
}

export function ring({ random, palette: p }: Art) {
  const stone = random.pick([p.a, p.c, p.light]);
  return (
    <>
      <path d={`M-84 ${GROUND - 44}h168l-14 44H-70z`} fill={p.a === stone ? p.c : p.a} />
      <path d={`M-84 ${GROUND - 44}h168l-4 13H-80z`} fill="#000" opacity="0.22" />
      <ellipse cx="0" cy={GROUND - 44} rx="84" ry="16" fill={p.light} />
      <ellipse cx="0" cy={GROUND - 44} rx="72" ry="11" fill={p.dark} opacity="0.16" />
      <circle cx="0" cy={GROUND - 80} r="42" fill="none" stroke={p.b} strokeWidth="13" />
      <path
        d={`M-30 ${GROUND - 110}a42 42 0 0 0-12 32`}
        fill="none"
        stroke="#fff"
        strokeOpacity="0.6"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <g transform={`translate(0 ${GROUND - 138})`}>
        <path d="M-40-14l18-22h44l18 22L0 34z" fill={stone} />
        <path d="M-40-14h80L0 34z" fill="#000" opacity="0.15" />
        <path d="M-22-36l10 22L0 34l12-48 10-22z" fill="#fff" opacity="0.28" />
        <path d="M-22-36h44l-10 22h-24z" fill="#fff" opacity="0.3" />
      </g>
      <path d={`M62 ${GROUND - 166}l4 12 12 4-12 4-4 12-4-12-12-4 12-4z`} fill={p.light} />
    </>
  );
}

export function watch({ random, palette: p }: Art) {
  const hour = random.between(0, 360);
  const minute = random.between(0, 360);
  return (
    <g transform={`translate(0 ${GROUND - 100})`}>
      <path d="M-34-48l6-52h56l6 52zm0 96l6 52h56l6-52z" fill={p.a} />
      <path d="M8-100h20l6 52H8zm0 200h20l6-52H8z" fill="#000" opacity="0.16" />
      <path d="M-24-92h48M-24 92h48" stroke={p.light} strokeOpacity="0.6" strokeWidth="2" strokeDasharray="5 4" />
      <rect x="60" y="-9" width="15" height="18" rx="4" fill={p.b} />
      <circle r="65" fill={p.b} />
      <path d="M0-65a65 65 0 0 1 0 130 80 80 0 0 0 0-130z" fill="#000" opacity="0.15" />
      <circle r="53" fill={p.light} />
      <circle r="45" fill="none" stroke={p.dark} strokeWidth="7" strokeDasharray="2.5 21.06" strokeDashoffset="1.2" />
      <path d="M0 4V-26" stroke={p.dark} strokeWidth="6" strokeLinecap="round" transform={`rotate(${hour})`} />
      <path d="M0 6V-38" stroke={p.dark} strokeWidth="4" strokeLinecap="round" transform={`rotate(${minute})`} />
      <circle r="5" fill={p.a} />
    </g>
  );
}

export function stamps({ random, palette: p }: Art) {
  const stamp = (x: number, y: number, turn: number, ground: string, motif: number) => (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect
        x="-46"
        y="-58"
        width="92"
        height="116"
        fill={p.light}
        stroke={p.light}
        strokeWidth="9"
        strokeDasharray="0.1 11.55"
        strokeLinecap="round"
      />
      <rect x="-38" y="-50" width="76" height="100" fill={ground} />
      {motif === 0 && <path d="M-24 30l24-66 24 66zm-6 8h60v4h-60z" fill={p.light} />}
      {motif === 1 && <path d="M0-34c22 14 28 34 0 62-28-28-22-48 0-62zM0 28v16" fill={p.b} stroke={p.b} strokeWidth="4" />}
      {motif === 2 && <path d="M-30 18q15-16 30 0t30 0v22h-60zm8-10l22-34 20 34z" fill={p.light} />}
      <rect x="14" y="-46" width="20" height="8" rx="2" fill={p.light} opacity="0.85" />
    </g>
  );
  const first = random.integer(0, 2);
  return (
    <>
      {stamp(-54, GROUND - 98, random.between(-14, -6), p.c, first)}
      {stamp(50, GROUND - 104, random.between(5, 14), p.a, (first + 1) % 3)}
      <g fill="none" stroke={p.dark} strokeOpacity="0.55" strokeWidth="3">
        <circle cx="8" cy={GROUND - 62} r="32" />
        <circle cx="8" cy={GROUND - 62} r="23" />
        <path d={`M44 ${GROUND - 76}q14-8 28 0t28 0M46 ${GROUND - 62}q14-8 28 0t28 0M44 ${GROUND - 48}q14-8 28 0t28 0`} />
      </g>
    </>
  );
}

export function trophy({ random, palette: p }: Art) {
  const ribbon = random.pick([p.a, p.c]);
  return (
    <>
      <path d={`M-48 ${GROUND - 162}c-46-6-44 54 6 66M48 ${GROUND - 162}c46-6 44 54-6 66`} fill="none" stroke={p.b} strokeWidth="11" />
      <path d={`M-54 ${GROUND - 178}H54c4 60-10 104-42 112v26h26v14h-76v-14h26v-26c-32-8-46-52-42-112z`} fill={p.b} />
      <path d={`M20 ${GROUND - 178}h34c4 60-10 104-42 112v40H4c26-40 22-100 16-152z`} fill="#000" opacity="0.15" />
      <path d={`M-40 ${GROUND - 168}h12c0 44 4 68 14 88-20-16-27-48-26-88z`} fill="#fff" opacity="0.4" />
      <rect x="-54" y={GROUND - 28} width="108" height="28" rx="3" fill={p.dark} />
      <rect x="-26" y={GROUND - 21} width="52" height="13" rx="2" fill={ribbon} />
    </>
  );
}

export function books({ random, palette: p }: Art) {
  const colours = [p.a, p.c, p.b, p.light, p.table];
  const start = random.integer(0, 4);
  const heights = [random.between(112, 146), random.between(124, 160), random.between(104, 138)];
  const widths = [random.between(24, 34), random.between(30, 40), random.between(22, 32)];
  let x = -92;
  return (
    <>
      {heights.map((height, at) => {
        const width = widths[at]!;
        const left = x;
        x += width + 2;
        const fill = colours[(start + at) % colours.length]!;
        return (
          <g key={at}>
            <rect x={left} y={GROUND - height} width={width} height={height} rx="3" fill={fill} />
            <rect x={left + width * 0.7} y={GROUND - height} width={width * 0.3} height={height} rx="3" fill="#000" opacity="0.15" />
            <path
              d={`M${left} ${GROUND - height + 18}h${width}m-${width} 7h${width}M${left} ${GROUND - 22}h${width}`}
              stroke={at === 1 ? p.b : p.light}
              strokeOpacity="0.75"
              strokeWidth="3"
            />
          </g>
        );
      })}
      {[0, 1, 2].map((at) => {
        const y = GROUND - 26 - at * 27;
        const inset = at * 5 + random.between(0, 6);
        return (
          <g key={at}>
            <rect x={12 + inset} y={y} width={86 - inset} height="26" rx="3" fill={colours[(start + at + 2) % colours.length]!} />
            <rect x={16 + inset} y={y + 4} width={80 - inset} height="18" fill={p.light} />
            <path d={`M${20 + inset} ${y + 10}H92m-${72 - inset} 6H92`} stroke={p.dark} strokeOpacity="0.22" strokeWidth="1.5" />
            <rect x={12 + inset} y={y} width="12" height="26" rx="3" fill={colours[(start + at + 2) % colours.length]!} />
          </g>
        );
      })}
      <g transform={`translate(56 ${GROUND - 92})`}>
        <circle r="13" fill={p.a} cy="-1" />
        <path d="M0-12q2-9 8-10" fill="none" stroke={p.dark} strokeWidth="3" strokeLinecap="round" />
        <circle r="4" cx="-5" cy="-5" fill="#fff" opacity="0.5" />
      </g>
    </>
  );
}
