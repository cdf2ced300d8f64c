// One run of k6: a process of its own, bounded in time, ended by its id. It writes the ledger, its log, its summary and the
// report of its own dashboard into the storm's folder.

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const FILES = {
  data: 'storm-data.json',
  ledger: 'ledger.jsonl',
  log: 'k6.log',
  summary: 'k6-summary.json',
  report: 'k6-report.html',
} as const;

export interface K6Run {
  program: string;
  script: string;
  /** holds FILES.data; the others are written there */
  folder: string;
  /** then it is told to end */
  limit_ms: number;
  onStart?: (pid: number) => void;
  /** Ctrl-C */
  signal: AbortSignal;
}

/** The parts of k6's summary that are told on. */
export interface K6Summary {
  /** arrivals that found no virtual user free: k6 did not send them */
  dropped: number;
  /** "metric: expression" of each threshold that was crossed */
  thresholds: string[];
  requests: number;
  /** visits that an exception of the script has ended: k6 itself is content with them */
  thrown: { count: number; first: string | null };
}

/** After it is told to end, k6 may sum up for so long; then it is killed. */
const GRACE_MS = 10_000;
/** As documented in k6's errext/exitcodes. */
const THRESHOLDS_CROSSED = 99;
const LOG_SHOWN_LINES = 15;

export class K6Failed extends Error {}

/** Rejects with K6Failed where k6 did not run to its end, with the end of its log. */
export async function runK6({ program, script, folder, limit_ms, onStart, signal }: K6Run): Promise<K6Summary> {
  const path = (file: string) => join(folder, file);
  // Of an earlier storm: k6 would add to its ledger.
  for (const file of [FILES.ledger, FILES.summary, FILES.report]) rmSync(path(file), { force: true });
  const log = openSync(path(FILES.log), 'w');
  const child = spawn(program, argumentsFor(script, path), { stdio: ['ignore', log, log], detached: true, env: environmentFor(path) });
  closeSync(log);
  const end = new Promise<{ code: number | null; how: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (error) => reject(new K6Failed(`${program} cannot be run: ${error.message}`)));
    child.once('exit', (code, how) => resolve({ code, how }));
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  let late = false;
  const stop = endIt(child);
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, limit_ms);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const { code, how } = await end;
    if (signal.aborted) throw new K6Failed('called off');
    if (late) throw new K6Failed(`k6 had not ended after ${Math.round(limit_ms / 1_000)} s${tail(path(FILES.log))}`);
    if (code !== 0 && code !== THRESHOLDS_CROSSED)
      throw new K6Failed(`k6 ended with ${how ?? `exit code ${code}`}${tail(path(FILES.log))}`);
    if (!existsSync(path(FILES.summary))) throw new K6Failed(`k6 left no summary${tail(path(FILES.log))}`);
    return summaryIn(readFileSync(path(FILES.summary), 'utf8'), readFileSync(path(FILES.log), 'utf8'));
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
    signal.removeEventListener('abort', stop);
  }
}

function argumentsFor(script: string, path: (file: string) => string): string[] {
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--address',
    '', // its own REST server would want a fixed port
    '--log-format',
    'raw',
    '--console-output',
    path(FILES.ledger),
    '--summary-export',
    path(FILES.summary),
    '--summary-trend-stats',
    'min,med,avg,p(95),p(99),max',
    script,
  ];
}

/** Options of the shell that starts a load test must not change it. */
function environmentFor(path: (file: string) => string): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('K6_')));
  return {
    ...own,
    STORM_DATA: path(FILES.data),
    K6_WEB_DASHBOARD: 'true',
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: '1s',
    K6_WEB_DASHBOARD_EXPORT: path(FILES.report),
  };
}

const endIt = (child: ChildProcess) => () => {
  child.kill('SIGINT');
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
};

function tail(path: string): string {
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-LOG_SHOWN_LINES)
    .filter((line) => line !== '');
  return lines.length === 0 ? '' : `:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

interface Exported {
  metrics: Record<string, { count?: number; thresholds?: Record<string, boolean> }>;
}

/** What was thrown, as k6 logs it: a line, and below it where. */
const THROWN = /^(\S.*)\n\tat /gm;

/** From the text of k6's --summary-export, in which a threshold is `true` where it was crossed, and of its log. */
export function summaryIn(text: string, log: string): K6Summary {
  const thrown = [...log.matchAll(THROWN)].map(([, what]) => what!);
  const { metrics } = JSON.parse(text) as Exported;
  return {
    dropped: metrics['dropped_iterations']?.count ?? 0,
    thresholds: Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
      Object.entries(thresholds).flatMap(([expression, crossed]) => (crossed ? [`${metric}: ${expression}`] : [])),
    ),
    requests: metrics['http_reqs']?.count ?? 0,
    thrown: { count: thrown.length, first: thrown[0] ?? null },
  };
}
