// Opens the built dashboard in Chromium, lets it follow the newest data, and reads the cost of a frame from the browser's trace.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { median, quantile } from '../../kit/statistics.ts';
import { PageServer } from './page-server.ts';
import { readMainThread, type TraceEvent } from './trace.ts';

export interface Question {
  lanes: number;
  /** seconds of telemetry in memory */
  history_s: number;
  /** seconds of measuring for each row */
  seconds: number;
  /** device pixels per CSS pixel */
  ratio: number;
  /** path of the browser */
  chromium: string;
}

export interface Figures {
  /** the visible part of the page */
  page: string;
  /** number of charts drawn in each of the frames: all of them, or at least one */
  charts: number;
  frames: number;
  /** main-thread time of a frame */
  median_ms: number;
  p99_ms: number;
  /** of all tasks, 0..1 */
  busy_share: number;
}

const SHARDS = 4;
/** The number of phases that a shard reports in a frame, over all records (server-core/src/counters/bounds.h). */
const PHASES_PER_FRAME = 256;
const FRAME_MS = 200;
const DRAWN = 'chart drawn';
const MARKS_LEAST = 20;
const SETTLED_MS = 3_000;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

export async function measure(question: Question): Promise<Figures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'claret-dashboard-'));
  const hotRecords = Math.max(1, Math.round(question.lanes / SHARDS));
  const phase_ms = (hotRecords * FRAME_MS) / PHASES_PER_FRAME;
  const server = new PageServer(folder, { shards: SHARDS, hotRecords, phase_ms, frame_ms: FRAME_MS }, question.history_s);
  let browser: Browser | null = null;
  try {
    await build(folder);
    const url = await server.listen();
    browser = await chromium.launch({ executablePath: question.chromium, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await open(browser, url, question);
    const figures = await follow(browser, page, question, 'as it opens');
    await page.getByRole('region', { name: 'Lock phases of hot records' }).getByLabel('Rows').selectOption('200');
    figures.push(...(await follow(browser, page, question, 'a lane for every record')));
    return figures;
  } finally {
    await browser?.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<void> {
  const root = join(import.meta.dirname, '../../..');
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '.', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, args, { cwd: join(root, 'ui/dashboard'), env: { ...process.env, NODE_ENV: 'production' } });
}

/** Opens the page and waits until the whole history is in its memory and drawn. */
async function open(browser: Browser, url: string, { ratio }: Question): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: ratio });
  // Every chart begins its drawing by clearing the canvas.
  await page.addInitScript((mark) => {
    const prototype = CanvasRenderingContext2D.prototype;
    const { clearRect } = prototype;
    prototype.clearRect = function (x, y, width, height) {
      if (this.canvas.isConnected) performance.mark(mark);
      clearRect.call(this, x, y, width, height);
    };
  }, DRAWN);
  await page.goto(url);
  await page.getByRole('img', { name: /^Lock phases of/ }).waitFor();
  return page;
}

/** The figures of frames in which every chart was drawn, as with new telemetry, then of frames in which any chart was. */
async function follow(browser: Browser, page: Page, { seconds }: Question, name: string): Promise<Figures[]> {
  await page.waitForTimeout(SETTLED_MS);
  await page.evaluate(() => performance.clearMarks());
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.waitForTimeout(seconds * 1_000);
  // At least that many, even if the time is short and the machine busy.
  await page.waitForFunction(([mark, least]) => performance.getEntriesByName(mark).length >= least, [DRAWN, MARKS_LEAST] as const);
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const { marked, busy_share } = readMainThread(traceEvents, DRAWN);
  if (marked.length === 0) throw new Error('the page has drawn nothing');
  const all = Math.max(...marked.map(({ marks }) => marks));
  return [all, 1].map((charts) => {
    const took_ms = marked.filter(({ marks }) => marks >= charts).map((frame) => frame.took_ms);
    return { page: name, charts, frames: took_ms.length, median_ms: median(took_ms), p99_ms: quantile(took_ms, 0.99), busy_share };
  });
}
