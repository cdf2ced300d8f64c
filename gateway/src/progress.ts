// Shows the progress of a long start: a progress bar if standard error is a terminal, else a log line from time to time.
import process from 'node:process';
import type { FastifyBaseLogger } from 'fastify';
import type { RecoveryProgress } from './store/recovery.ts';

const REDRAW_MS = 100;
const LINE_MS = 2_000;
/** a shorter start shows nothing */
const QUIET_MS = 400;
const BAR_WIDTH = 24;

export function showProgress(log: FastifyBaseLogger): (progress: Readonly<RecoveryProgress>) => void {
  const terminal = process.stderr.isTTY;
  const everyMs = terminal ? REDRAW_MS : LINE_MS;
  let shownAtMs = terminal ? QUIET_MS - REDRAW_MS : 0;
  let drawn = false;
  return (progress) => {
    const { bytesRead, bytesTotal, milliseconds, recordsLoaded, entriesReplayed } = progress;
    const complete = bytesRead >= bytesTotal;
    if (terminal && complete && drawn) process.stderr.write('\r\x1b[2K');
    if (complete || milliseconds - shownAtMs < everyMs) return;
    shownAtMs = milliseconds;
    drawn = true;
    const percent = Math.floor((bytesRead / bytesTotal) * 100);
    if (terminal) process.stderr.write(`\r\x1b[2K  ${barOf(percent)} ${recordsLoaded} records, ${entriesReplayed} log entries`);
    else log.info({ percent, records: recordsLoaded, entries: entriesReplayed }, 'restoring');
  };
}

function barOf(percent: number): string {
  const full = Math.min(BAR_WIDTH, Math.round((percent / 100) * BAR_WIDTH));
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.min(100, percent)).padStart(3)}%`;
}
