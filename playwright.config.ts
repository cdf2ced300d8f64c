// The browser tests, against one real cluster that scripts/browser-tests.js starts for all of them. A page mostly waits, for a
// server, a stream or the next frame, so four workers with a browser each keep two cores busy; what they do to the cluster is
// theirs alone: people, auctions and posts of their own. Who changes the whole cluster (storms, conditions) is the dashboard's
// project, whose tests come one after the other.
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/setup/browser.js';

const BROWSER_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const SITES = '{apps/*,client/create-app}/e2e';
const DASHBOARD = 'ui/dashboard/e2e';
/** Compares the visitors of load tests with a browser. */
const LOAD_TESTS = 'loadtest/load/k6/kit';
/** Its check knows of no other load. */
const STORM = 'apps/site/e2e/storm.spec.ts';
/** What is tagged @phone is tried on a phone as well, and @only-phone there alone; `npm run test:long` tries whole journeys and every page there. */
const PHONE_SPECS = [`${SITES}/**/{journey,pages}*.spec.ts`, `${DASHBOARD}/**/pages.spec.ts`];

/** Set by `npm run test:long`, which runs the files *.long.spec.ts, and what is tagged @long or @dark. */
const LONG = process.env.CLARET_LONG === '1';
const TRACED = LONG || process.env.CLARET_TRACE === '1';
const chosen = LONG ? { grep: /@long|@dark|\.long\.spec\.ts/ } : { grepInvert: /@long|@only-phone|\.long\.spec\.ts/ };

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'dashboard', testMatch: [`${DASHBOARD}/**/*.spec.ts`, STORM], ...chosen, use: DESKTOP, workers: 1 },
    { name: 'desktop', testMatch: [`${SITES}/**/*.spec.ts`, `${LOAD_TESTS}/*.spec.ts`], testIgnore: STORM, ...chosen, use: DESKTOP },
    { name: 'phone', testMatch: PHONE_SPECS, ...(LONG ? {} : { grep: /@phone|@only-phone/ }), use: PHONE },
  ],
  globalSetup: './scripts/browser-tests.js',
  workers: 4,
  fullyParallel: false,
  forbidOnly: true,
  // A read that a busy server refused is repeated after up to 6 s, a killed gateway starts again, and four browsers share two cores, on which
  // other programs may run as well: a late answer is no failure.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    contextOptions: { reducedMotion: LONG ? 'no-preference' : 'reduce' }, // each frame of a motion is drawn by the processor
    // A failed test leaves a picture of the end and, with CLARET_TRACE=1, every step with the page as it was then. A trace costs a
    // tenth of a test's processor time, and a film of it would cost a third.
    trace: TRACED ? { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: true } : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findBrowser(),
      args: BROWSER_FLAGS.split(' '),
    },
  },
});
