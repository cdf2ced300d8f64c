// The style of a load test's page: the colours of the figures, on a light or dark background.

import { COLORS } from '../../../kit/figures/look.ts';

/** The picture has the colours of a light page as attributes, which a style sheet can override. */
const PICTURE: readonly [color: string, as: string][] = [
  [COLORS.page, 'var(--card)'],
  [COLORS.frame, 'var(--line)'],
  [COLORS.ink, 'var(--ink)'],
  [COLORS.soft, 'var(--soft)'],
  [COLORS.faint, 'var(--soft)'],
  [COLORS.grid, 'var(--line)'],
  [COLORS.axis, 'var(--soft)'],
  [COLORS.accent, 'var(--accent)'],
];
const picture = PICTURE.flatMap(([color, as]) =>
  ['fill', 'stroke'].map((what) => `.picture [${what}="${color}"] { ${what}: ${as}; }`),
).join('\n');

export const STYLE = `
:root { --page: #fffdfb; --card: #ffffff; --line: #e4dedb; --ink: #2b2320; --soft: #5e5450; --accent: #8c1d40; --good: #1d6b43; --good-ground: #eef7f1; --bad: #a3242b; --bad-ground: #fdf0ef; }
@media (prefers-color-scheme: dark) {
  :root { --page: #171312; --card: #201b19; --line: #3a322f; --ink: #f1ebe8; --soft: #b9aea9; --accent: #ee8fae; --good: #7fd3a4; --good-ground: #16271e; --bad: #ff9d9a; --bad-ground: #311a1a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 Inter, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 40px 0 12px; font-size: 19px; overflow-wrap: anywhere; }
h3 { margin: 20px 0 8px; font-size: 14px; font-weight: 600; color: var(--soft); }
.kicker { margin: 0 0 4px; font-size: 13px; font-weight: 600; color: var(--accent); }
.sub, footer { color: var(--soft); }
.sub { margin: 8px 0 24px; }
.verdict { margin: 0 0 24px; padding: 12px 16px; border-radius: 8px; }
.verdict ul { margin: 6px 0 0; padding-left: 20px; overflow-wrap: anywhere; }
.good { background: var(--good-ground); } .good strong { color: var(--good); }
.bad { background: var(--bad-ground); } .bad strong { color: var(--bad); }
.picture { margin: 0; overflow-x: auto; }
.picture svg { display: block; width: 100%; min-width: 640px; height: auto; }
@media (prefers-color-scheme: dark) { ${picture} }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 16px; text-align: right; white-space: nowrap; }
th[scope=row], thead td { position: sticky; left: 0; background: var(--card); }
th[scope=row] { text-align: left; font-weight: 400; color: var(--soft); }
th[scope=col] { font-weight: 600; }
tbody tr { border-top: 1px solid var(--line); }
dl { margin: 0; }
dl div { display: grid; grid-template-columns: 160px 1fr; gap: 16px; padding: 4px 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.bars { list-style: none; margin: 0; padding: 0; max-width: 560px; font-size: 14px; }
.bars li { display: grid; grid-template-columns: 100px 1fr 44px; gap: 12px; align-items: center; padding: 2px 0; }
.bar { height: 10px; border-radius: 5px; background: var(--line); } .bar span { display: block; height: 100%; border-radius: 5px; background: var(--accent); }
.value { text-align: right; font-variant-numeric: tabular-nums; }
.files { margin: 16px 0 0; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
footer { margin-top: 48px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 13px; }
@media (max-width: 560px) { main { padding: 24px 16px 48px; } dl div { grid-template-columns: 1fr; gap: 0; } h1 { font-size: 24px; } th, td { padding: 7px 12px; } th[scope=row] { white-space: normal; } }
`;
