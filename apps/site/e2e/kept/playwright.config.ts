// For kept.spec.ts: the configuration of the browser tests, with one page that needs no cluster.
import { defineConfig } from '@playwright/test';
import real from '../../../../playwright.config.ts';

const { projects: _, globalSetup: __, ...rest } = real;
export default defineConfig({
  ...rest,
  testDir: import.meta.dirname,
  testMatch: 'one-fails.ts',
  outputDir: process.env['CLARET_TEST_KEPT'],
});
