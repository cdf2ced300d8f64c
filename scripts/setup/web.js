// The pages of the sites and of the dashboard, built by Vite into the `dist` beside their index.html.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { inProject, ROOT } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { node24 } from './node24.js';
import { hashOf, isStamped, writeStamp } from './stamp.js';

const STAMPS = inProject('node_modules', '.cache', 'claret');
const NOT_IN_PAGES = new Set(['dist', 'node_modules', 'e2e', 'data']);
const isSource = (path) => !NOT_IN_PAGES.has(basename(path)) && !/\.test\.tsx?$/.test(path);

/** @returns {string[]} folders that hold an index.html for Vite */
export function pages() {
  const apps = readdirSync(inProject('apps')).map((app) => inProject('apps', app, 'web'));
  return [...apps, inProject('ui', 'dashboard')].filter((folder) => existsSync(join(folder, 'index.html')));
}

async function buildPage(folder) {
  const name = relative(ROOT, folder);
  const room = name.startsWith('apps') ? dirname(folder) : folder;
  const stamp = join(STAMPS, name.replaceAll('/', '-'));
  const hash = hashOf([room, inProject('ui'), inProject('package-lock.json')], isSource);
  if (existsSync(join(folder, 'dist', 'index.html')) && isStamped(stamp, hash)) return;
  const config = [folder, room].map((at) => join(at, 'vite.config.ts')).find((path) => existsSync(path));
  await step(`pages of ${name}`, async () => {
    const vite = inProject('node_modules', 'vite', 'bin', 'vite.js');
    const args = [vite, 'build', folder, '--logLevel', 'warn', ...(config ? ['--config', config] : [])];
    const { code, output } = await runTool(node24(), args, { cwd: room });
    if (code !== 0) throw new Problem(`Vite could not build ${name}.`, output);
    if (!existsSync(join(folder, 'dist', 'index.html'))) throw new Problem(`Vite left no ${name}/dist/index.html.`, output);
  });
  writeStamp(stamp, hash);
}

export async function buildPages() {
  for (const folder of pages()) await buildPage(folder);
}
