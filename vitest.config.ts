// The TypeScript tests: beside their source, each file in a process of its own, since the addon is native code. Many of them wait, for
// a lease, a storm or a disk, so three at a time keep two cores busy.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['client', 'gateway', 'apps/*/server', 'apps/*/web', 'apps/site', 'ui', 'loadtest', 'server-core'].map(
      (room) => `${room}/**/*.test.{ts,tsx}`,
    ),
    exclude: ['**/node_modules/**', '**/dist/**', '**/build/**', '**/e2e/**'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
