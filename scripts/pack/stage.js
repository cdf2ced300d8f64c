// The packages as folders, as npm will pack them: `@claret/client`, `create-claret-app`, and `@claret/gateway` with the native core. The gateway
// carries what it needs of the workspace in its own node_modules (bundleDependencies), so that its tarball is enough.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { buildFolder } from '../setup/native.js';
import { COMPILED } from './compile.js';
import { checkImports, importedBy } from './imports.js';
import { publishedManifest } from './manifest.js';

export const PACKAGES = inProject('dist', 'packages');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Copies a file or a folder where there is one. */
function bring(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

/**
 * One workspace as a package.
 * @param {string} folder to make anew @param {string} workspace
 * @param {object} what
 * @param {string[]} what.rooms compiled ones that go into `dist`
 * @param {string[]} [what.data] what is beside them there as it is
 * @param {string[]} [what.files] what lies beside `dist`
 * @param {Record<string, unknown>} [what.more] members of its package.json
 * @param {boolean} [what.leaf] it declares what it imports and no more: it may be a part of the workspace
 */
function stage(folder, workspace, { rooms, data = [], files = [], more = {}, leaf = false }) {
  rmSync(folder, { recursive: true, force: true });
  for (const room of rooms) bring(join(COMPILED, workspace, room), join(folder, 'dist', room));
  for (const each of data) bring(inProject(workspace, each), join(folder, 'dist', each));
  for (const file of files) bring(inProject(workspace, file), join(folder, file));
  bring(inProject('LICENSE'), join(folder, 'LICENSE'));
  const has = (path) => existsSync(join(folder, path));
  const manifest = publishedManifest(readJson(inProject(workspace, 'package.json')), has, {
    files: ['dist', ...files.filter(has)],
    ...more,
  });
  if (leaf) {
    const imported = importedBy(folder);
    manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies ?? {}).filter(([name]) => imported.has(name)));
    delete manifest.bin;
  }
  checkImports(folder, manifest);
  writeJson(join(folder, 'package.json'), manifest);
}

const CLIENT = { rooms: ['src', 'telemetry', 'cli'], data: ['proto'], files: ['README.md', 'API.md', 'bin'] };

/** @returns {string} the folder */
export function stageClient() {
  const folder = join(PACKAGES, 'client');
  stage(folder, 'client', CLIENT);
  return folder;
}

/** @returns {string} the folder */
export function stageCreateApp() {
  const folder = join(PACKAGES, 'create-claret-app');
  stage(folder, join('client', 'create-app'), { rooms: ['src'], files: ['README.md', 'bin', 'template'] });
  return folder;
}

const BUNDLED = ['@claret/client', '@claret/core'];

/** @returns {Promise<string>} the folder */
export async function stageGateway() {
  const folder = join(PACKAGES, 'gateway');
  const inside = (name) => join(folder, 'node_modules', name);
  stage(folder, 'gateway', {
    rooms: ['src'],
    files: ['README.md', 'bin', 'THIRD-PARTY.md'],
    more: {
      bin: { 'claret-gateway': 'bin/claret-gateway.js' },
      scripts: { install: 'node node_modules/@claret/core/install.js' },
      bundleDependencies: BUNDLED,
    },
  });
  bring(inProject('ui', 'dashboard', 'dist'), join(folder, 'dist', 'dashboard'));
  stage(inside('@claret/client'), 'client', { ...CLIENT, rooms: ['src', 'telemetry'], files: [], leaf: true });
  await stageCore(inside('@claret/core'));
  // What the packages inside need is installed beside them.
  const path = join(folder, 'package.json');
  const manifest = readJson(path);
  const needed = BUNDLED.map((name) => readJson(join(inside(name), 'package.json')).dependencies);
  writeJson(path, { ...manifest, dependencies: Object.assign({}, ...needed, manifest.dependencies) });
  return folder;
}

const isTest = (path) => /_test\.(?:cc|h)$/.test(path) || /(?:main|types|wrong_types)_laws\.cc$/.test(path);

/** Sources to build it from, and what was built here. */
async function stageCore(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of [
    'core.js',
    'core.d.ts',
    'installed-types.d.ts',
    'totals.d.ts',
    'conditions.d.ts',
    'resp-sockets.d.ts',
    'install.js',
    'CMakeLists.txt',
  ])
    bring(inProject('server-core', file), join(folder, file));
  cpSync(inProject('server-core', 'src'), join(folder, 'src'), { recursive: true, filter: (path) => !isTest(path) });
  const { private: _, ...manifest } = readJson(inProject('server-core', 'package.json'));
  writeJson(join(folder, 'package.json'), manifest);
  await bringBuilt(join(folder, 'build', 'release'));
}

/** The addon and the type check, stripped, and the Abseil libraries they were linked with: other machines hardly have that version. */
async function bringBuilt(folder) {
  const addon = join(folder, 'claret_core.node');
  bring(join(buildFolder('release'), 'claret_core.node'), addon);
  bring(join(buildFolder('release'), 'type_check'), join(folder, 'type_check'));
  const { code, output } = await runTool('ldd', [addon]);
  if (code !== 0) throw new Problem('ldd could not say what the native core was linked with.', output);
  for (const [, name, path] of output.matchAll(/(libabsl_\S+) => (\S+)/g)) cpSync(realpathSync(path), join(folder, name));
  for (const name of readdirSync(folder)) {
    const path = join(folder, basename(name));
    chmodSync(path, 0o755);
    const stripped = await runTool('strip', ['--strip-unneeded', path]);
    if (stripped.code !== 0) throw new Problem(`strip refused ${name}.`, stripped.output);
  }
}
