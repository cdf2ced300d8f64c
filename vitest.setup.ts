// After each TypeScript test: clocks, globals and spied-on methods are real again. Test files share a process, so what one of them
// left behind would fail another, and a different one in each run.
//
// What a test waits for may come late on a busy machine: `vi.waitFor` gives up after WAIT_MS instead of a second.
//
// Where CLARET_PROCESSOR_TIMES names a file, each test file's processor time is added to it, in ms, with that of the processes that it started.
import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { cpuOfChildrenMs } from './scripts/run/cpu.js';

const TIMES = process.env['CLARET_PROCESSOR_TIMES'];
if (TIMES !== undefined) {
  const processorMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + cpuOfChildrenMs();
  };
  const before = processorMs();
  afterAll(() => appendFileSync(TIMES, `${JSON.stringify([expect.getState().testPath, processorMs() - before])}\n`));
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const WAIT_MS = 120_000;
const { waitFor } = vi;
if (waitFor.name !== 'waitLong') {
  vi.waitFor = function waitLong(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options });
  };
}
