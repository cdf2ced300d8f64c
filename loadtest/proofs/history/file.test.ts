import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { historyFile, machineClockNs, readHistory } from './file.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'claret-history-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const attempt: HistoryAttempt = {
  id: '0a',
  transaction: '0a',
  process: 'p',
  label: 'T',
  call: 5,
  return: 9,
  outcome: 'ok',
  order: '18446744073709551615',
  ops: [{ key: 'é\n"', type: 'Counter', op: 'value', args: [], result: { integer: '9223372036854775807' } }],
};

describe('a history file', () => {
  it('is read as it was written, on the requested clock', () => {
    const path = join(folder, 'history');
    const file = historyFile(path, 1_000);
    file.write(attempt);
    file.write({ ...attempt, id: '0b', outcome: 'unknown', order: undefined, return: Infinity });
    file.close();
    expect(readHistory(path)).toEqual([
      { ...attempt, call: 1_005, return: 1_009 },
      { ...attempt, id: '0b', outcome: 'unknown', order: undefined, call: 1_005, return: Infinity },
    ]);
  });

  it('has the moments of reads of the past', () => {
    const path = join(folder, 'history');
    const file = historyFile(path);
    file.write({ ...attempt, as_of: '18446744073709551615' });
    file.close();
    expect(readHistory(path)).toEqual([{ ...attempt, as_of: '18446744073709551615' }]);
    for (const wrong of ['yesterday', 15]) {
      writeFileSync(path, JSON.stringify({ ...attempt, as_of: wrong }));
      expect(() => readHistory(path)).toThrow(`${path}:1: not an attempt: as_of`);
    }
  });

  it('names the line that is not an attempt', () => {
    const path = join(folder, 'history');
    writeFileSync(path, `${JSON.stringify(attempt)}\n{"id":"0c"}\n`);
    expect(() => readHistory(path)).toThrow(`${path}:2: not an attempt: call, return`);
    writeFileSync(path, '{');
    expect(() => readHistory(path)).toThrow(`${path}:1: `);
  });

  it('can use the clock of the machine', () => {
    // Between two readings this process may stand still.
    const offNs = () => Math.abs(machineClockNs() + performance.now() * 1e6 - Number(process.hrtime.bigint()));
    expect(Math.min(...Array.from({ length: 20 }, offNs))).toBeLessThan(50e6);
  });
});
