// One run of k6 as a separate process with a time limit. It writes the ledger, its log, its summary and the report of its own
// dashboard into the storm's folder.

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
  /** contains FILES.data; the other files are written there */
  folder: string;
  /** then k6 is stopped */
  limit_ms: number;
  onStart?: (pid: number) => void;
  /** Ctrl-C */
  signal: AbortSignal;
}

/** The parts of k6's summary that are used. */
export interface K6Summary {
  /** arrivals that k6 did not send, because no virtual user was free */
  dropped: number;
  /** "metric: expression" of each crossed threshold */
  thresholds: string[];
  requests: number;
  /** visits ended by an exception of the script, which k6 itself does not count as failures */
  thrown: { count: number; first: string | null };
}

/** After the request to stop, k6 gets this time to write its summary; then it is killed. */
const GRACE_MS = 10_000;
/** As documented in k6's errext/exitcodes. */
const THRESHOLDS_CROSSED = 99;
const LOG_SHOWN_LINES = 15;

export class K6Failed extends Error {}

/** Rejects with K6Failed, with the end of k6's log, if k6 did not complete. */
export async function runK6({ program, script, folder, limit_ms, onStart, signal }: K6Run): Promise<K6Summary> {
  const path = (file: string) => join(folder, file);
  // Files of an earlier storm: k6 would append to its ledger.
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
    '', // disables its REST server, which would need a fixed port
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

/** Removes k6's options from the environment, so that the user's shell does not affect a load test. */
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

/** An exception in k6's log: a line, followed by its stack. */
const THROWN = /^(\S.*)\n\tat /gm;

/** From the text of k6's --summary-export, in which a crossed threshold is `true`, and of its log. */
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
