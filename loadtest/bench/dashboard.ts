// Drawing: how long the dashboard occupies its page's main thread for one frame, in Chromium, with many lanes in memory.
//
// The page as built for gateways, over a stream of synthetic telemetry: the given number of hot records on four shards, with phases
// as short as shards can report for that many records. A part of the telemetry is sent at once; when it is in memory, the stream
// continues at the usual rate. Chromium's trace gives the length of each task of the main thread in which a chart was drawn:
// scripts, style, layout and painting, of all visible charts. There is no graphics processor: canvases are drawn by the CPU.

import { writeFileSync } from 'node:fs';
import { findBrowser } from '../../scripts/setup/browser.js';
import { readFlags } from '../kit/arguments.ts';
import { table } from '../kit/table.ts';
import { measure, type Figures } from './dashboard/measure.ts';

const options = readFlags({
  json: { type: 'string' },
  lanes: { type: 'string', default: '200' },
  // of telemetry in memory
  'history-s': { type: 'string', default: '60' },
  seconds: { type: 'string', default: '10' },
  // device pixels per CSS pixel
  ratio: { type: 'string', default: '1' },
  chromium: { type: 'string', default: findBrowser() ?? 'chromium' },
});

const [lanes, history_s, seconds, ratio] = [options.lanes, options['history-s'], options.seconds, options.ratio].map(Number) as [
  number,
  number,
  number,
  number,
];

const figures: Figures[] = await measure({ lanes, history_s, seconds, ratio, chromium: options.chromium });
const show = (value: number) => value.toFixed(1);
console.log(`${lanes} lanes and ${history_s} s in memory, a window of 1440 x 900, ${ratio} device pixels in a pixel, ${seconds} s each\n`);
console.log(
  table(
    ['page', 'charts drawn in a frame', 'frames', 'median ms', 'p99 ms', 'main thread busy'],
    figures.map(({ page, charts, frames, median_ms, p99_ms, busy_share }) => [
      page,
      charts === 1 ? 'any' : `all ${charts}`,
      frames.toLocaleString('en'),
      show(median_ms),
      show(p99_ms),
      `${show(busy_share * 100)} %`,
    ]),
  ),
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ lanes, history_s, seconds, ratio, figures }, null, 2)}\n`);
