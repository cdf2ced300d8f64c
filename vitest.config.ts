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
    // The core checks what its headers require; the laws of types that tests install are tried for a moment only.
    env: { CLARET_CHECKS: '1', CLARET_TRIAL_SECONDS: '0.2' },
    maxWorkers: 5,
    // Limits say how long a failure takes to show, not how fast a machine has to be; long tests may run beside anything.
    expect: { poll: { timeout: LONG ? 300_000 : 120_000 } },
    testTimeout: LONG ? 1_800_000 : 600_000,
    hookTimeout: LONG ? 1_800_000 : 600_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
