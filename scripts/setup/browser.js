// The browser of the tests. Chromium without any window of its own takes half the processor time of the whole one that is told
// to show none, and draws the same pages; where it cannot be had, the whole one does.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensurePackages } from './debian.js';

const PROGRAMS = ['chromium-headless-shell', 'chromium'];
const PACKAGES = ['chromium-headless-shell'];

/** @param {NodeJS.ProcessEnv} [env] @returns {string | undefined} path of the program: what CLARET_CHROMIUM says, else the first on the PATH */
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
