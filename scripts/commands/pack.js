// npm run pack: the published packages as tarballs in dist/packages; docs/decisions/0022-packages.md.
//   npm run pack                      all
//   npm run pack -- client            some; only the gateway needs the native core and the pages
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../paths.js';
import { compile } from '../pack/compile.js';
import { PACKAGES, stageClient, stageCreateApp, stageGateway } from '../pack/stage.js';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { runNpm } from '../setup/npm.js';
import { setUp } from '../setup/setup.js';

/** name → what makes its folder, in the order in which they are packed */
const STAGES = { client: stageClient, 'create-claret-app': stageCreateApp, gateway: stageGateway };

const NAMES = /** @type {(keyof typeof STAGES)[]} */ (Object.keys(STAGES));

const tarballOf = (name) => new RegExp(`^(?:claret-)?${name}-[0-9].*\\.tgz$`);

/** @param {(keyof typeof STAGES)[]} [names] @returns {Promise<string[]>} paths of their tarballs */
export async function makePackages(names = NAMES) {
  await setUp('node', ...(names.includes('gateway') ? ['core', 'pages'] : []));
  mkdirSync(PACKAGES, { recursive: true });
  const tarballs = () => readdirSync(PACKAGES).filter((file) => names.some((name) => tarballOf(name).test(file)));
  for (const file of tarballs()) rmSync(join(PACKAGES, file));
  await compile();
  await step('packages', async (show) => {
    for (const name of names) {
      const folder = await STAGES[name]();
      show.note(relative(PACKAGES, folder));
      const { code, output } = await runNpm(['pack', folder, '--pack-destination', PACKAGES, '--loglevel=error']);
      if (code !== 0) throw new Problem(`npm could not pack ${relative(ROOT, folder)}.`, output);
    }
  });
  return tarballs().map((file) => join(PACKAGES, file));
}

const USAGE = `npm run pack [-- NAME …]

Writes the packages that others install to dist/packages, as tarballs: all, or those named, of ${NAMES.join(', ')}.`;

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function pack(args) {
  if (args[0] === '--help' || args[0] === '-h') {
    console.log(USAGE);
    return 0;
  }
  const names = NAMES.filter((name) => args.includes(name));
  if (names.length < args.length) throw new Problem(USAGE);
  const paths = await makePackages(args.length === 0 ? NAMES : names);
  for (const path of paths) console.log(`  ${relative(ROOT, path)}  ${(statSync(path).size / 1e6).toFixed(2)} MB`);
  return 0;
}
