// Makes a new app's folder from the template. Nothing that is there already is changed: the folder must not exist, or be empty.
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { packageName } from './name.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
/** The compiled program is one folder deeper than its source. */
const PACKAGE = existsSync(join(HERE, 'template')) ? HERE : join(HERE, '..');

/** The name under which a package may carry a .gitignore: npm obeys the real one while it packs. */
const IGNORED = 'gitignore';
/** The folder of the new app that holds a copy of the packed client. */
const VENDOR = 'vendor';

/** A sentence for the person who called. */
export class Refusal extends Error {}

export interface Plan {
  /** absolute */
  folder: string;
  /** a tarball of @claret/client, absolute, which the app gets a copy of; null: it depends on the published version */
  client: string | null;
}

type Manifest = { name: string; version: string; dependencies: Record<string, string> };

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

export const ownVersion = (): string => readManifest(PACKAGE).version;

/** Returns the app's name. Throws a Refusal, with nothing made, if it cannot be made there. */
export function createApp({ folder, client }: Plan): string {
  const name = packageName(folder);
  if (name === null) throw new Refusal(`“${basename(folder)}” gives no name for a package: use letters and digits.`);
  if (client !== null) checkTarball(client);
  refuseContents(folder);

  mkdirSync(folder, { recursive: true });
  cpSync(join(PACKAGE, 'template'), folder, { recursive: true, force: false, errorOnExist: true });
  renameSync(join(folder, IGNORED), join(folder, '.gitignore'));
  const manifest = readManifest(folder);
  manifest.name = name;
  manifest.dependencies['@claret/client'] = client === null ? `^${ownVersion()}` : bringClient(client, folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = join(folder, 'README.md');
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(/^# .*/, () => `# ${name}`),
  );
  return name;
}

function checkTarball(path: string): void {
  if (!existsSync(path) || !statSync(path).isFile())
    throw new Refusal(`There is no file ${path}. \`npm run pack\` in Claret’s repository makes it.`);
  if (!path.endsWith('.tgz')) throw new Refusal(`${path} is no tarball (.tgz) of @claret/client.`);
}

function refuseContents(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new Refusal(`${folder} is a file. Name a folder that does not exist yet.`);
  const [first, ...more] = readdirSync(folder);
  if (first === undefined) return;
  const found = more.length === 0 ? first : `${first} and ${more.length} more`;
  throw new Refusal(`${folder} is not empty: it has ${found}. Nothing was changed. Name a folder that does not exist yet.`);
}

/** The app carries its client along, so that it can be moved, committed and deployed as a folder. */
function bringClient(tarball: string, folder: string): string {
  mkdirSync(join(folder, VENDOR));
  copyFileSync(tarball, join(folder, VENDOR, basename(tarball)), constants.COPYFILE_EXCL);
  return `file:${VENDOR}/${basename(tarball)}`;
}
