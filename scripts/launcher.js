// The launcher: every npm script runs it. Plain JavaScript for the machine's own Node, 20 or later, without dependencies, because
// it runs before any are installed. It sets up what is missing and runs the command.
import { fileURLToPath } from 'node:url';
import { HELP } from './commands/help.js';
import { isStopping, stopOnSignals } from './run/shutdown.js';
import { Problem } from './run/problem.js';

const OLDEST_NODE = 20;
/** Node's compile cache (NODE_COMPILE_CACHE): later starts load modules faster. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/node-compile/', import.meta.url));

/** name → module and function; loaded on demand */
const COMMANDS = {
  start: async () => (await import('./commands/start.js')).start,
  test: async () => (await import('./commands/test.js')).test,
  'test:long': async () => (await import('./commands/test-long.js')).testLong,
  'test:sanitize': async () => (await import('./commands/sanitize.js')).sanitize,
  check: async () => (await import('./commands/check.js')).check,
  format: async () => (await import('./commands/format.js')).format,
  bench: async () => (await import('./commands/bench.js')).bench,
  sim: async () => (await import('./commands/sim.js')).sim,
  crash: async () => (await import('./commands/crash.js')).crash,
  history: async () => (await import('./commands/history.js')).history,
  laws: async () => (await import('./commands/laws.js')).laws,
  loadtest: async () => (await import('./commands/loadtest.js')).loadtest,
  pack: async () => (await import('./commands/pack.js')).pack,
  restore: async () => (await import('./commands/restore.js')).restore,
};

async function main([name, ...args]) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Problem(`Claret needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}.`);
  }
  if (!Object.hasOwn(COMMANDS, name ?? '')) {
    throw new Problem(`npm run one of: ${Object.keys(COMMANDS).join(', ')}`);
  }
  if (args.includes('--help') && Object.hasOwn(HELP, name)) {
    console.log(HELP[name]);
    return 0;
  }
  stopOnSignals({ exitCode: name === 'start' ? 0 : undefined }); // the demo runs until it is stopped: a stop is success
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  const command = await COMMANDS[name]();
  return command(args);
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  // Errors while we stop are consequences of the stop; the signal's handler ends the process.
  if (!isStopping()) {
    if (error instanceof Problem) console.error(`\n${error.output && `${error.output}\n\n`}${error.message}`);
    else console.error(error);
    process.exit(1);
  }
}
