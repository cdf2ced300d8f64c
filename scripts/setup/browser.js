// The browser of the tests. The headless build of Chromium takes half the processor time of the full one in headless mode, and
// renders the same pages; the full one is the fallback.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensurePackages } from './debian.js';

const PROGRAMS = ['chromium-headless-shell', 'chromium'];
const PACKAGES = ['chromium-headless-shell'];

/** @param {NodeJS.ProcessEnv} [env] @returns {string | undefined} path of the program: CLARET_CHROMIUM, else the first on the PATH */
export function findBrowser(env = process.env) {
  if (env.CLARET_CHROMIUM) return env.CLARET_CHROMIUM;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Rejects with a Problem when there is no browser and none can be installed. */
export async function ensureBrowser() {
  if (process.env.CLARET_CHROMIUM) return;
  try {
    await ensurePackages(PACKAGES);
  } catch (problem) {
    if (findBrowser() === undefined) throw problem;
  }
}
