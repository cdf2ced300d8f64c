// The browser tests' own configuration over one page that needs no cluster: for kept.spec.ts.
import { defineConfig } from '@playwright/test';
import real from '../../../../playwright.config.ts';

const { projects: _, globalSetup: __, ...rest } = real;
export default defineConfig({
  ...rest,
  testDir: import.meta.dirname,
  testMatch: 'one-fails.ts',
  outputDir: process.env['CLARET_TEST_KEPT'],
});
