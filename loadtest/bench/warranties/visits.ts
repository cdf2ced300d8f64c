// Visits of pages at a fixed rate: by k6, whose requests come whether or not earlier ones were answered, or, where there is no k6, from here,
// with few under way at once.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Requests of pages in turn. */
export interface Stream {
  /** numbers of pages */
  pages: readonly number[];
  per_s: number;
}

export interface Visiting {
  /** by number of the page */
  urls: readonly string[];
  streams: readonly Stream[];
  seconds: number;
}

export interface Visit {
  page: number;
  /** on the civil clock, in whole milliseconds */
  began_ms: number;
  took_ms: number;
  /** 0: no answer */
  status: number;
  /** that the page shows; null: none */
  bids: number | null;
}

/** A line of k6's console output. */
export type VisitLine = [page: number, began_ms: number, took_ms: number, status: number, bids: number | null];

const SCRIPT = fileURLToPath(new URL('./k6-visits.ts', import.meta.url));
const OUTPUT_MAX_BYTES = 1 << 20;
/** for k6's start and its last requests */
const GRACE_MS = 30_000;
const AT_ONCE = 16;

/** `folder`: for k6's output. */
export async function visitByK6(program: string, visiting: Visiting, folder: string): Promise<Visit[]> {
  const lines = join(folder, 'visits.jsonl');
  const args = [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--address',
    '',
    '--log-format',
    'raw',
    '--console-output',
    lines,
    SCRIPT,
  ];
  // The user's own settings of k6 have no place here.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('K6_')));
  await promisify(execFile)(program, args, {
    env: { ...own, VISITING: JSON.stringify(visiting) },
    timeout: 1_000 * visiting.seconds + GRACE_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  return readFileSync(lines, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [page, began_ms, took_ms, status, bids] = JSON.parse(line) as VisitLine;
      return { page, began_ms, took_ms, status, bids };
    });
}

/** If answers take too long for the rate, there are fewer visits. */
export async function visitFromHere({ urls, streams, seconds }: Visiting): Promise<Visit[]> {
  const visits: Visit[] = [];
  const startMs = performance.now();
  const visitors = ({ pages, per_s }: Stream): Promise<void>[] => {
    let next = 0;
    const visitor = async () => {
      for (;;) {
        const turn = next++;
        const dueMs = (1_000 * turn) / per_s;
        if (Math.max(dueMs, performance.now() - startMs) >= 1_000 * seconds) return;
        await sleep(Math.max(0, startMs + dueMs - performance.now()));
        const page = pages[turn % pages.length]!;
        visits.push({ page, ...(await visit(urls[page]!)) });
      }
    };
    return Array.from({ length: AT_ONCE }, visitor);
  };
  await Promise.all(streams.flatMap(visitors));
  return visits;
}

async function visit(url: string): Promise<Omit<Visit, 'page'>> {
  const [began_ms, fromMs] = [Date.now(), performance.now()];
  const done = (status: number, bids: number | null) => ({ began_ms, took_ms: performance.now() - fromMs, status, bids });
  try {
    const answer = await fetch(url);
    const text = await answer.text();
    return done(answer.status, answer.ok ? (JSON.parse(text) as { live: { bid_count: number } }).live.bid_count : null);
  } catch {
    return done(0, null);
  }
}
