// The project's rules that a program can check. Each rule takes the sources and yields violations; each has a test with a sample
// that it must catch.
import { homedir } from 'node:os';
import { dirname, posix } from 'node:path';
import { comparedOnce, judgedOnce, smallClasses, wholeClasses } from './classes.js';
import { cppArrows, noHashOrder, shortFunctions } from './cpp.js';
import { oneTable } from './gate-table.js';
import { knownCommands, wholeLinks } from './links.js';
import { onePatience } from './patience.js';
import { roles, smallTsClasses } from './roles.js';
import { isTest, withoutComments } from './source.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

export const FILE_LINES_MAX = 500;

const CODE = /\.(?:cc|h|ts|tsx|js|mjs|css)$/;

/** Each match of a pattern, with its line. */
function* matches({ path, text }, pattern, message) {
  for (const match of text.matchAll(pattern)) {
    const line = text.slice(0, match.index).split('\n').length;
    yield { path, line, message: message(match) };
  }
}

/** @param {Source[]} sources only hand-written ones count @returns {Iterable<Finding>} */
function* shortFiles(sources) {
  for (const { path, text } of sources) {
    const lines = text.split('\n').length - 1;
    if (CODE.test(path) && !/^\/\/ generated\b/i.test(text) && lines > FILE_LINES_MAX) {
      yield { path, line: lines, message: `${lines} lines; what leaked in? (at most ${FILE_LINES_MAX})` };
    }
  }
}

const IMPURE_HEADERS =
  /^[ \t]*#\s*include\s*<(thread|mutex|shared_mutex|condition_variable|future|chrono|ctime|time\.h|random|iostream|fstream|filesystem|unistd\.h|pthread\.h|sys\/[a-z]+\.h|absl\/(?:time|random|synchronization)\/[a-z_]+\.h)>/gm;
const NODE_HEADERS = /^[ \t]*#\s*include\s*[<"]((?:napi|node_api|node|uv|v8|js_native_api)[a-z_-]*\.h)[>"]/gm;

/** The core does no I/O, starts no thread, reads no clock and draws no random number; Node's headers stay in the addon. Programs are outside. */
function* pureCore(sources) {
  for (const source of sources) {
    if (!source.path.startsWith('server-core/src/') || source.path.startsWith('server-core/src/addon/')) continue;
    yield* matches(source, NODE_HEADERS, ([, header]) => `<${header}> outside src/addon`);
    if (!isTest(source.path) && !source.path.endsWith('_main.cc'))
      yield* matches(source, IMPURE_HEADERS, ([, header]) => `<${header}> in the pure core`);
  }
}

const TYPELESS_ROOMS = /^server-core\/src\/(?:door|gate|resp|telemetry|transaction|shard|wire)\//;

/** Names of types that are words of the code as well, such as Value::List. */
const COMMON_WORDS = new Set(['list']);

/** A data type is a .cc file in adt/ without a header: uid_generator.cc → uidgenerator, compared without case. */
function typeNames(sources) {
  const paths = new Set(sources.map(({ path }) => path));
  return [...paths]
    .filter((path) => /^server-core\/src\/adt\/[a-z_]+\.cc$/.test(path) && !isTest(path))
    .filter((path) => !paths.has(path.replace(/\.cc$/, '.h')))
    .map((path) => path.slice(path.lastIndexOf('/') + 1, -'.cc'.length).replaceAll('_', ''))
    .filter((name) => !COMMON_WORDS.has(name));
}

/** Only adt/ names a data type: other rooms use the contract of adt/adt.h. */
function* typesAtHome(sources) {
  const names = typeNames(sources);
  if (names.length === 0) return;
  const pattern = new RegExp(`(?<!\\w)(?:${names.join('|')})(?!\\w)`, 'gi');
  for (const { path, text } of sources) {
    if (!TYPELESS_ROOMS.test(path) || isTest(path)) continue;
    yield* matches({ path, text: withoutComments(text) }, pattern, ([name]) => (/^[A-Z]/.test(name) ? `${name} outside adt/` : ''));
  }
}

/** room → rooms, or folders of them, that it may import. Tests may also start real processes. */
const ARROWS = {
  client: [],
  'server-core': [],
  gateway: ['client', 'server-core'],
  ui: ['client/telemetry'],
  apps: ['client', 'ui', 'apps/site'],
  loadtest: ['client', 'server-core', 'gateway', 'scripts', 'ui/dashboard/src/testing', 'ui/site/api'],
  scripts: [],
};
/** folder of loadtest → folders of loadtest that it may import: proofs, load and bench do not import each other */
const LOADTEST_ARROWS = {
  kit: [],
  invariants: ['kit'],
  workloads: ['invariants', 'kit'],
  proofs: ['workloads', 'invariants', 'kit'],
  load: ['workloads', 'invariants', 'kit'],
  bench: ['peers', 'workloads', 'invariants', 'kit'],
  peers: ['kit'],
};
/** rooms of the client from the bottom up: each may import those before it */
const CLIENT_ROOMS = [
  ...['telemetry', 'environment', 'errors', 'values', 'wire', 'topology', 'transport', 'operation', 'generated', 'types', 'reports'],
  ...[
    'idempotency',
    'limits',
    'clock',
    'session',
    'cluster',
    'watching',
    'native',
    'ways',
    'warranties',
    'attempt',
    'computations',
    'crowd',
    'transaction',
    'index',
    'testing',
    'cli',
  ],
];
const TESTS_ALSO = ['scripts', 'client', 'server-core', 'gateway', 'playwright.config.ts'];
const PACKAGE_ROOMS = { core: 'server-core', rubis: 'apps/rubis', retwis: 'apps/retwis', site: 'apps/site' };
/** Run by hand, such as a generator of sources. */
const DEVELOPERS_TOOL = /^client\/scripts\//;
const APP_ENTRIES = /^apps\/(?:[a-z]+\/server\/(?:model\.ts|api\.ts|price\.ts|sessions\.ts|actions\/|data\/)|site\/auth\/token\.ts$)/;
/** Sites in all but their store, so that a benchmark compares stores. */
const PEERS = /^loadtest\/peers\//;
/** what drives an app's pages in a browser */
const APP_PAGES = /^apps\/[a-z]+\/e2e\//;
const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

const roomOf = (path) => /^(?:apps\/[^/]+|[^/]+)/.exec(path)[0];
const targetOf = (from, specifier) => {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(dirname(from), specifier));
  const [, name, rest] = /^@claret\/([a-z-]+)(\/.*)?$/.exec(specifier) ?? [];
  return name && `${PACKAGE_ROOMS[name] ?? name}${rest ?? ''}`;
};

function mayImportInLoadtest(from, target) {
  const [, folder] = from.split('/');
  const [, goal] = target.split('/');
  return folder === goal || LOADTEST_ARROWS[folder]?.includes(goal) === true;
}

/** client/src/wire/reader.ts → wire; client/cli/run.ts → cli; files directly in client/src → index */
const clientRoomOf = (path) => {
  const [, folder, room, file] = path.split('/');
  return folder !== 'src' ? folder : file === undefined ? 'index' : room;
};

function mayImportInClient(from, target) {
  const [room, goal] = [from, target].map((path) => CLIENT_ROOMS.indexOf(clientRoomOf(path)));
  return isTest(from) || DEVELOPERS_TOOL.test(from) || goal <= room;
}

function mayImport(from, target) {
  const [room, goal] = [roomOf(from), roomOf(target)];
  if (room === 'loadtest' && goal === 'loadtest') return mayImportInLoadtest(from, target);
  if (room === 'client' && goal === 'client') return mayImportInClient(from, target);
  if (room === goal || !(room.split('/')[0] in ARROWS)) return true;
  if (goal.startsWith('apps/') && room === 'loadtest')
    return APP_ENTRIES.test(target) || (PEERS.test(from) && goal === 'apps/site') || (from.endsWith('.spec.ts') && APP_PAGES.test(target));
  const allowed = ARROWS[room.split('/')[0]];
  if (allowed.some((each) => each === goal || target === each || target.startsWith(`${each}/`))) return true;
  return (isTest(from) || DEVELOPERS_TOOL.test(from)) && TESTS_ALSO.includes(goal);
}

/** Imports follow ARROWS, and inside loadtest LOADTEST_ARROWS; only loadtest imports from an app. */
function* arrows(sources) {
  for (const { path, text } of sources) {
    if (!/\.(?:ts|tsx|js|mjs)$/.test(path) || !path.includes('/')) continue;
    yield* matches({ path, text: withoutComments(text) }, IMPORT, ([, specifier]) => {
      const target = targetOf(path, specifier);
      return target && !mayImport(path, target) ? `${roomOf(path)} must not import ${target}` : '';
    });
  }
}

/** The launcher runs before any package is installed. */
function* launcherAlone(sources) {
  for (const source of sources) {
    if (!/^scripts\/.*\.js$/.test(source.path)) continue;
    yield* matches({ ...source, text: withoutComments(source.text) }, /^\s*(?:import|export)\b[^;]*?from\s*'([^']+)'/gm, ([, specifier]) =>
      /^(?:node:|\.)/.test(specifier) ? '' : `the launcher has no dependencies, but imports ${specifier}`,
    );
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @param {Source[]} sources @param {string} root */
function* noMachinePaths(sources, root) {
  const folders = [root, homedir()].filter((path) => path.length > 1).map((path) => `${escaped(path)}/`);
  const pattern = new RegExp([...folders, '/(?:home|Users)/[a-z][\\w-]*/', '\\.\\./(?:shared|\\.library)\\b'].join('|'), 'g');
  for (const source of sources) yield* matches(source, pattern, ([found]) => `a path of one machine: ${found}`);
}

/** A document has one title, on its first line. */
function* oneTitle(sources) {
  for (const { path, text } of sources) {
    if (!path.endsWith('.md')) continue;
    let fenced = false;
    const titles = [];
    text.split('\n').forEach((line, index) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
      else if (!fenced && line.startsWith('# ')) titles.push(index + 1);
    });
    if (titles.length !== 1) yield { path, line: titles[1] ?? 1, message: `${titles.length} titles (#), not one` };
  }
}

/** @param {Source[]} sources */
function* finished(sources) {
  const marker = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/g; // the brackets keep the pattern from matching itself
  for (const source of sources) yield* matches(source, marker, ([word]) => `${word}: do it or drop it`);
}

/** `npm ci` refuses a lock file that lacks a package, and one that names a registry works only if that registry is reachable. */
function* wholeLock(sources) {
  const lock = sources.find(({ path }) => path === 'package-lock.json');
  if (!lock) return;
  const { packages } = JSON.parse(lock.text);
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
  for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!names.has(name)) yield { path: lock.path, line: 1, message: `${path || 'the project'} depends on ${name}, which is not in it` };
    }
  }
  yield* matches(lock, /"resolved": "([a-z+]+:\/\/[^"]*)"/g, ([, url]) => `names a registry: ${url}`);
}

/**
 * name → rule; `files`: paths of all files in git
 * @type {Record<string, (sources: Source[], root: string, files: Set<string>) => Iterable<Finding>>}
 */
export const RULES = {
  'short files': shortFiles,
  'pure core': pureCore,
  'types at home': typesAtHome,
  arrows,
  'C++ arrows': cppArrows,
  'short C++ functions': shortFunctions,
  'no hash order': noHashOrder,
  'small C++ classes': smallClasses,
  'whole C++ classes': wholeClasses,
  'roles of one': roles,
  'small TypeScript classes': smallTsClasses,
  'compared once': comparedOnce,
  'judged once': judgedOnce,
  'one table': oneTable,
  'one patience': onePatience,
  'launcher alone': launcherAlone,
  'no machine paths': noMachinePaths,
  'one title': oneTitle,
  finished,
  'whole lock': wholeLock,
  'whole links': wholeLinks,
  'known commands': knownCommands,
};
