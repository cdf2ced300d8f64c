// Run by npm when the gateway's package is installed: keeps the packaged native core if it loads, and otherwise builds it from the sources
// beside this file.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const ADDON = join(FOLDER, 'build', 'release', 'claret_core.node');
const BUILD = join(FOLDER, 'build', 'install');
const TOOLS = { cmake: 'cmake', ninja: 'ninja-build', 'c++': 'g++' };
const DEBIAN_PACKAGES = 'g++ cmake ninja-build libabsl-dev libprotozero-dev libuv1-dev rapidjson-dev librapidcheck-dev';
/** Limit of a failing build's output. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Loads the addon in a child process, since a library for another machine may crash the process that loads it. */
const loads = () => existsSync(ADDON) && spawnSync(process.execPath, ['-e', `require(${JSON.stringify(ADDON)})`]).status === 0;

const isCommand = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));

function giveUp(why, output = '') {
  process.stderr.write(`${output}
Claret's native core does not run here as packed (${process.platform}-${process.arch}), and it cannot be built: ${why}.
Building takes CMake 3.25, Ninja, a C++20 compiler, Abseil, protozero and the headers of libuv. On Debian or Ubuntu:

  sudo apt-get install ${DEBIAN_PACKAGES}

Then install the package again, or run \`npm rebuild @claret/gateway --foreground-scripts\`.
`);
  process.exit(1);
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX });
  if (status !== 0) giveUp(`${command} ${args[0]} failed`, error?.message ?? `${stdout}${stderr}`);
}

function build() {
  if (process.platform !== 'linux') giveUp('only Linux is supported');
  const missing = Object.keys(TOOLS).filter((name) => !isCommand(name));
  if (missing.length > 0) giveUp(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`);
  const { resolve } = createRequire(import.meta.url);
  const headers = ['node-addon-api', 'node-api-headers'].map((name) => dirname(resolve(`${name}/package.json`)));
  const settings = [
    'CMAKE_BUILD_TYPE=Release',
    'CLARET_TESTS=OFF',
    'CLARET_STRICT=OFF',
    `CLARET_NODE_ADDON_API=${headers[0]}`,
    `CLARET_NODE_API_HEADERS=${headers[1]}`,
  ];
  // Node's own headers have libuv's, but a distribution may have left them out.
  const nodeHeaders = join(dirname(dirname(process.execPath)), 'include', 'node');
  if (existsSync(join(nodeHeaders, 'uv.h'))) settings.push(`CLARET_UV_HEADERS=${nodeHeaders}`);
  process.stdout.write('Building the native core; this takes some minutes.\n');
  rmSync(BUILD, { recursive: true, force: true });
  run('cmake', ['-S', FOLDER, '-B', BUILD, '-G', 'Ninja', ...settings.map((setting) => `-D${setting}`)]);
  run('cmake', ['--build', BUILD, '--target', 'claret_addon', 'type_check']);
  // The packaged build does not run here.
  rmSync(dirname(ADDON), { recursive: true, force: true });
  mkdirSync(dirname(ADDON), { recursive: true });
  cpSync(join(BUILD, 'claret_core.node'), ADDON);
  cpSync(join(BUILD, 'type_check'), join(dirname(ADDON), 'type_check'));
  rmSync(BUILD, { recursive: true, force: true });
  if (!loads()) giveUp('what was built does not load');
}

if (!loads()) build();
