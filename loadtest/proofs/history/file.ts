// History files (docs/history.md): one JSON line per attempt.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { HistoryAttempt, HistoryListener } from '@claret/client';

const FLUSH_CHARACTERS = 256 * 1024;

export interface HistoryFile {
  readonly write: HistoryListener;
  /** No attempt may be written after it. */
  close(): void;
}

/**
 * Creates an empty file. `clockNs` is added to all times: the start of the environment's clock on a clock shared by the files of
 * several processes; `machineClockNs()` for one machine.
 */
export function historyFile(path: string, clockNs = 0): HistoryFile {
  const file = openSync(path, 'w');
  let lines: string[] = [];
  let characters = 0;
  const flush = () => {
    if (lines.length > 0) writeSync(file, lines.join(''));
    lines = [];
    characters = 0;
  };
  return {
    write(attempt) {
      const line = `${JSON.stringify(onClock(attempt, clockNs))}\n`;
      lines.push(line);
      characters += line.length;
      if (characters >= FLUSH_CHARACTERS) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

const CLOCK_READINGS = 20;

/**
 * When this process's `performance` clock was 0, on the machine's monotonic clock. A process may lose its processor between the readings of two
 * clocks; of many readings, the one that took the least time counts.
 */
export function machineClockNs(): number {
  let [least, zeroNs] = [Infinity, 0];
  for (let i = 0; i < CLOCK_READINGS; i++) {
    const before = Number(process.hrtime.bigint());
    const sinceNs = Math.round(performance.now() * 1e6);
    const tookNs = Number(process.hrtime.bigint()) - before;
    if (tookNs < least) [least, zeroNs] = [tookNs, before - sinceNs];
  }
  return zeroNs;
}

/** The attempt with times of a clock that `clockNs` is the start of. */
export function onClock(attempt: HistoryAttempt, clockNs: number): HistoryAttempt {
  const times = { call: attempt.call + clockNs, return: attempt.return + clockNs };
  return { ...attempt, ...times, ...(attempt.deadline !== undefined && { deadline: attempt.deadline + clockNs }) };
}

/** Throws if a line is not an attempt, and names the line. */
export function readHistory(path: string): HistoryAttempt[] {
  const attempts: HistoryAttempt[] = [];
  readFileSync(path, 'utf8')
    .split('\n')
    .forEach((line, i) => {
      if (line === '') return;
      try {
        attempts.push(attemptOf(JSON.parse(line)));
      } catch (error) {
        throw new Error(`${path}:${i + 1}: ${(error as Error).message}`, { cause: error });
      }
    });
  return attempts;
}

function attemptOf(json: unknown): HistoryAttempt {
  // JSON has no infinity.
  const attempt = { ...(json as HistoryAttempt), return: (json as HistoryAttempt).return ?? Infinity };
  const wrong = (what: string) => new Error(`not an attempt: ${what}`);
  if (typeof attempt.id !== 'string' || attempt.id === '') throw wrong('id');
  if (typeof attempt.call !== 'number' || typeof attempt.return !== 'number') throw wrong('call, return');
  if (!['ok', 'fail', 'unknown'].includes(attempt.outcome)) throw wrong('outcome');
  if (attempt.order !== undefined && !/^\d+$/.test(attempt.order)) throw wrong('order');
  // A number would have lost its last digits.
  if (attempt.as_of !== undefined && (typeof attempt.as_of !== 'string' || !/^\d+$/.test(attempt.as_of))) throw wrong('as_of');
  if (attempt.epoch !== undefined && attempt.epoch !== true) throw wrong('epoch');
  if (!Array.isArray(attempt.ops)) throw wrong('ops');
  for (const { key, type, op, args } of attempt.ops) {
    if (typeof key !== 'string' || typeof type !== 'string' || typeof op !== 'string' || !Array.isArray(args)) throw wrong('ops');
  }
  return attempt;
}
