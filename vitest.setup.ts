// After each TypeScript test: clocks, globals and spied-on methods are real again. Test files share a process, so what one of them
// left behind would fail another, and a different one in each run.
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
