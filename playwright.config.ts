// The browser tests, against one real cluster that scripts/browser-tests.js starts for all of them. A page mostly waits, for a
// server, a stream or the next frame, so three workers with a browser each keep two cores busy; what they do to the cluster is
// theirs alone: people, auctions and posts of their own. Who changes the whole cluster (storms, conditions) is the dashboard's
// project, whose tests come one after the other.
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/setup/browser.js';

const BROWSER_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const SITES = 'apps/*/e2e';
const DASHBOARD = 'ui/dashboard/e2e';

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'dashboard', testMatch: `${DASHBOARD}/**/*.spec.ts`, use: DESKTOP, workers: 1 },
    { name: 'desktop', testMatch: `${SITES}/**/*.spec.ts`, use: DESKTOP },
    { name: 'phone', testMatch: [`${SITES}/**/{journey,pages}*.spec.ts`, `${DASHBOARD}/**/pages.spec.ts`], use: PHONE },
  ],
  globalSetup: './scripts/browser-tests.js',
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    // What a failed test leaves: every step with the page as it was then, and a picture of the end. A film of each test beside
    // them would cost a third of its processor time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: true },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findBrowser(),
      args: BROWSER_FLAGS.split(' '),
    },
  },
});
