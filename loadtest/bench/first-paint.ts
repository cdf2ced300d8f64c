// First paint: how long a phone waits for the home pages of both sites and for the dashboard, on a first visit.
//
// Chromium as a phone: Lighthouse's mobile screen, a CPU slowed by a factor of four, and a network as slow as the named line, which
// the browser applies to every request. Each load has an empty cache. The pages are the built ones, served by a real cluster with
// data.
//
// First contentful paint is the browser's own entry: text or a picture is on the screen. Largest is the browser's last
// largest-contentful-paint entry when the page has come to rest: its main content can be read. Bytes are counted on the wire,
// including headers, until then.

import { writeFileSync } from 'node:fs';
import { findBrowser } from '../../scripts/setup/browser.js';
import { buildPages } from '../../scripts/setup/web.js';
import { measureLoads, type Load } from './first-paint/load.ts';
import { LINES, type LineName } from './first-paint/phone.ts';
import { readFlags } from '../kit/arguments.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';

const GOAL_MS = 1_000;

const names = Object.keys(LINES) as LineName[];
const options = readFlags(
  {
    json: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    line: { type: 'string', multiple: true, default: names },
    // factor by which the CPU is slower than this machine's
    cpu: { type: 'string', default: '4' },
    chromium: { type: 'string', default: findBrowser() ?? 'chromium' },
  },
  { line: names },
);
const [rounds, cpu] = [Number(options.rounds), Number(options.cpu)];

await buildPages();
const sites = { auctionServers: 1, timelineServers: 1, profile: 'small', graphScale: 8, dashboard: true } as const;
await withCluster(
  2,
  {},
  async ({ auctions, timelines, dashboard }) => {
    const pages = { auctions: auctions[0]!.url, timelines: timelines[0]!.url, dashboard: dashboard! };
    const figures = [];
    for (const line of options.line as LineName[]) {
      for (const [page, url] of Object.entries(pages)) {
        const loads = await measureLoads({ url, line, cpu, rounds, chromium: options.chromium });
        const of = (what: keyof Load) => median(loads.map((load) => load[what]));
        figures.push({
          page,
          line,
          first_ms: of('first_ms'),
          largest_ms: of('largest_ms'),
          kilobytes: of('kilobytes'),
          requests: of('requests'),
          loads,
        });
      }
    }
    const show = (value: number) => Math.round(value).toLocaleString('en');
    console.log(`A phone with a CPU slowed ${cpu} times and an empty cache; medians of ${rounds} loads\n`);
    console.log(
      table(
        ['page', 'line', 'first contentful paint ms', 'largest ms', 'kB', 'requests'],
        figures.map(({ page, line, first_ms, largest_ms, kilobytes, requests }) => [
          page,
          line,
          show(first_ms),
          show(largest_ms),
          show(kilobytes),
          show(requests),
        ]),
      ),
    );
    const slowest_ms = Math.max(...figures.map(({ first_ms }) => first_ms));
    console.log(
      `\nSlowest first contentful paint: ${show(slowest_ms)} ms (goal: ${show(GOAL_MS)} ms, ${slowest_ms <= GOAL_MS ? 'met' : 'missed'})`,
    );
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ cpu, rounds, figures }, null, 2)}\n`);
  },
  sites,
);
