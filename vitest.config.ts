// The TypeScript tests: beside their source. Five processes run one file after the other, since the addon is native code and most
// files take less time than a process and its modules do: a file leaves nothing behind that the next one could meet.
import { defineConfig } from 'vitest/config';
import { sourceWith } from './loadtest/proofs/mistakes/plugin.ts';

/** Set by `npm run test:long`, which runs these files alone. */
const LONG = process.env.CLARET_LONG === '1';
const LONG_TESTS = '**/*.long.test.{ts,tsx}';

/** A mistake on purpose that tests must find (loadtest/proofs/mistakes). */
const MISTAKE = process.env.CLARET_MISTAKE;

export default defineConfig({
  plugins: MISTAKE === undefined ? [] : [sourceWith(MISTAKE)],
  test: {
    include: ['client', 'gateway', 'apps/*/server', 'apps/*/web', 'apps/site', 'ui', 'loadtest', 'server-core'].map(
      (room) => `${room}/${LONG ? LONG_TESTS : '**/*.test.{ts,tsx}'}`,
    ),
    exclude: ['**/node_modules/**', '**/dist/**', '**/build/**', '**/e2e/**', '**/template/**', ...(LONG ? [] : [LONG_TESTS])],
    fsModuleCache: MISTAKE === undefined, // it would not notice the mistake
    pool: 'forks',
    isolate: false,
    setupFiles: ['vitest.setup.ts'],
    env: { CLARET_CHECKS: '1' }, // the core checks what its headers require
    maxWorkers: 5,
    // Limits say how long a failure takes to show, not how fast a machine has to be.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
