// The page of a load test: one self-contained file, in light or dark by the reader's preference.

import { relative } from 'node:path';
import { thousands } from '../../../kit/figures/axis.ts';
import { faultsOf, HOLD, type Entry } from './entry.ts';
import { FILES } from './k6-process.ts';
import { STYLE } from './report-style.ts';
import type { Storm } from './storm.ts';
import { heldWords, ROWS, stageTable } from './words.ts';

export interface Report {
  title: string;
  /** SVG; null: nothing could be drawn */
  picture: string | null;
  storms: readonly Storm[];
  provenance: string;
  /** the page's folder: links are relative to it */
  folder: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (content: string): string => content.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

export function reportPage({ title, picture, storms, provenance, folder }: Report): string {
  const faults = storms.flatMap(({ entry }) =>
    faultsOf(entry).map((fault) => (storms.length > 1 ? `${entry.condition}: ${fault}` : fault)),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Claret load test</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">Claret load test</p>
<h1>${escaped(title)}</h1>
<p class="sub">${escaped(settings(storms))}</p>
</header>
${verdict(faults)}
${picture === null ? '' : `<figure class="picture" tabindex="0" aria-label="The storm over time">${picture}</figure>`}
<section>
<h2>${storms.length > 1 ? 'Side by side' : 'In figures'}</h2>
${comparison(storms)}
</section>
${storms.map((storm) => details(storm, folder)).join('\n')}
<footer>
<p>${escaped(provenance)}</p>
</footer>
</main>
</body>
</html>
`;
}

function settings(storms: readonly Storm[]): string {
  const { scenario, peak_per_s, duration_s, seed } = storms[0]!.entry;
  return `${scenario}: up to ${thousands(peak_per_s)} arrivals per second, ${duration_s} s, seed ${seed}`;
}

function verdict(faults: readonly string[]): string {
  if (faults.length === 0) return '<p class="verdict good"><strong>Everything holds.</strong> All invariants, all thresholds.</p>';
  return `<div class="verdict bad"><strong>${faults.length === 1 ? 'One thing is wrong.' : `${faults.length} things are wrong.`}</strong>
<ul>${faults.map((fault) => `<li>${escaped(fault)}</li>`).join('')}</ul></div>`;
}

function comparison(storms: readonly Storm[]): string {
  const head = storms.map(({ entry }) => `<th scope="col">${escaped(entry.condition)}</th>`).join('');
  const rows = ROWS.map(([label, of]) => {
    const cells = storms.map(({ entry }) => `<td>${escaped(of(entry))}</td>`).join('');
    return `<tr><th scope="row">${escaped(label)}</th>${cells}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="All figures"><table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function details({ entry, folder }: Storm, page: string): string {
  const link = (file: string, name: string) => `<a href="${escaped(encodeURI(`${relative(page, folder)}/${file}`))}">${name}</a>`;
  const files =
    entry.thresholds === null
      ? [link(FILES.log, "k6's log")]
      : [
          link(FILES.report, "k6's own report"),
          link(FILES.summary, "k6's summary"),
          link(FILES.ledger, 'the ledger'),
          link(FILES.log, "k6's log"),
        ];
  const facts: [string, string][] = [
    ['Invariants', entry.invariants === HOLD ? 'hold' : entry.invariants],
    [
      'Thresholds',
      entry.thresholds === null ? 'not reached' : entry.thresholds.length === 0 ? 'met' : `crossed: ${entry.thresholds.join('; ')}`,
    ],
    [
      'Refused by a rule',
      Object.entries(entry.refused)
        .map(([code, count]) => `${code} ${thousands(count)}`)
        .join(', ') || 'nothing',
    ],
    ['Bottleneck', entry.bottleneck],
  ];
  return `<section>
<h2>${escaped(entry.condition)}</h2>
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>
${joined(entry)}
${bars(entry.cores)}
<p class="files">${files.join(' · ')}</p>
</section>`;
}

function joined({ join }: Entry): string {
  if (join === undefined || typeof join === 'string') return '';
  const { head, rows } = stageTable(join);
  const body = rows.map(([label, ...cells]) => `<tr><th scope="row">${label}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<h3>A shard joins</h3>
<p>${escaped(heldWords(join))}.</p>
<div class="wide" tabindex="0" role="region" aria-label="Before, while and after a shard joins"><table>
<thead><tr>${head.map((stage) => (stage === '' ? '<td></td>' : `<th scope="col">${stage}</th>`)).join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`;
}

/** Processor time by process, each bar relative to one core: it exceeds one core only if a process has several busy threads. */
function bars(cores: Readonly<Record<string, number>>): string {
  const most = Math.max(1, ...Object.values(cores));
  const rows = Object.entries(cores).map(
    ([name, value]) =>
      `<li><span class="name">${escaped(name)}</span><span class="bar"><span style="width:${((100 * value) / most).toFixed(1)}%"></span></span><span class="value">${value.toFixed(2)}</span></li>`,
  );
  return rows.length === 0 ? '' : `<h3>Cores taken, over the busiest seconds</h3><ul class="bars">${rows.join('')}</ul>`;
}
