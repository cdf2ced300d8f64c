// The browser tests: one browser, one after the other, against a real cluster that scripts/browser-tests.js starts for them.
import { defineConfig } from '@playwright/test';

const BROWSER_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync';

export default defineConfig({
  testDir: '.',
  testMatch: ['apps/*/e2e/**/*.spec.ts', 'ui/dashboard/e2e/**/*.spec.ts'],
  globalSetup: './scripts/browser-tests.js',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CLARET_CHROMIUM ?? '/usr/bin/chromium',
      args: BROWSER_FLAGS.split(' '),
    },
  },
});
