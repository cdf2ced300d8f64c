// npm run pack: the published packages as tarballs in dist/packages; docs/decisions/0022-packages.md.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../paths.js';
import { compile } from '../pack/compile.js';
import { PACKAGES, stageClient, stageGateway } from '../pack/stage.js';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { runNpm } from '../setup/npm.js';
import { setUpNative, setUpNode, setUpPages } from '../setup/setup.js';

const isTarball = (name) => name.endsWith('.tgz');

/** @returns {Promise<string[]>} paths of the tarballs */
export async function makePackages() {
  await setUpNode();
  await setUpNative('release', ['claret_addon']);
  await setUpPages();
  mkdirSync(PACKAGES, { recursive: true });
  for (const name of readdirSync(PACKAGES).filter(isTarball)) rmSync(join(PACKAGES, name));
  await compile();
  await step('packages', async (show) => {
    for (const folder of [stageClient(), await stageGateway()]) {
      show.note(relative(PACKAGES, folder));
      const { code, output } = await runNpm(['pack', folder, '--pack-destination', PACKAGES, '--loglevel=error']);
      if (code !== 0) throw new Problem(`npm could not pack ${relative(ROOT, folder)}.`, output);
    }
  });
  return readdirSync(PACKAGES)
    .filter(isTarball)
    .map((name) => join(PACKAGES, name));
}

const USAGE = 'npm run pack\n\nWrites the packages that others install to dist/packages, as tarballs. It takes no arguments.';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function pack([first]) {
  if (first === '--help' || first === '-h') {
    console.log(USAGE);
    return 0;
  }
  if (first !== undefined) throw new Problem(USAGE);
  for (const path of await makePackages()) console.log(`  ${relative(ROOT, path)}  ${(statSync(path).size / 1e6).toFixed(1)} MB`);
  return 0;
}
