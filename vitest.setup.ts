// After each TypeScript test: clocks, globals and spied-on methods are real again. Test files share a process, so what one of them
// left behind would fail another, and a different one in each run.
//
// What a test waits for may come late on a busy machine: `vi.waitFor` gives up after WAIT_MS instead of a second.
import { afterEach, vi } from 'vitest';

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
