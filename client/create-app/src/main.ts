// create-claret-app [FOLDER] [--client FILE]: makes a new app, and prints what to do next. Exit codes: 0 done, 1 refused, 2 not understood.
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { createApp, ownVersion, Refusal } from './create.ts';

const USAGE = `npm create claret-app [FOLDER] [-- --client FILE]

Makes a web application on Claret in FOLDER, which must not exist or be empty; by default in the
current folder. It is a live poll with reactions, to be changed into yours.

  --client FILE   a tarball of @claret/client, as \`npm run pack\` in Claret's repository makes it:
                  the app gets a copy. By default it depends on the published version.
  --version, --help
`;

const OPTIONS = {
  client: { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** That runs TypeScript as it is. */
const NODE_OLDEST = [22, 18] as const;

/** A sentence, if this Node cannot run the app. */
function tooOld(version = process.versions.node): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > NODE_OLDEST[0] || (major === NODE_OLDEST[0] && minor >= NODE_OLDEST[1]);
  return isNewEnough ? '' : `\nThe app needs Node ${NODE_OLDEST.join('.')} or later; this is ${version}.\n`;
}

function nextSteps(name: string, folder: string): string {
  const path = relative(process.cwd(), folder);
  const enter = path === '' ? '' : `  cd ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}\n`;
  return `${name} is ready. Next, with a cluster of Claret at work:

${enter}  npm install
  npm test
  npm start

README.md tells what is where.
${tooOld()}`;
}

/** Returns the exit code. */
export function main(args: string[]): number {
  let given;
  try {
    given = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (given.positionals.length > 1) throw new Error(`One folder, please, not ${given.positionals.join(' and ')}.`);
  } catch (error) {
    process.stderr.write(`create-claret-app: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = given;
  if (values.help || values.version) {
    process.stdout.write(values.help ? USAGE : `${ownVersion()}\n`);
    return 0;
  }
  const folder = resolve(positionals[0] ?? '.');
  try {
    const name = createApp({ folder, client: values.client === undefined ? null : resolve(values.client) });
    process.stdout.write(nextSteps(name, folder));
    return 0;
  } catch (error) {
    const why = error instanceof Refusal || (error instanceof Error && 'code' in error) ? error.message : null;
    if (why === null) throw error;
    process.stderr.write(`create-claret-app: ${why}\n`);
    return 1;
  }
}
