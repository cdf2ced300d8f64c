// The name of a new app's package, from the name of its folder.
import { basename } from 'node:path';

const LENGTH_MAX = 214; // npm's
const TAKEN = new Set(['node_modules', 'favicon.ico']);

/** "My Poll!" becomes "my-poll"; null: nothing is left of it that npm would take. */
export function packageName(folder: string): string | null {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^[._-]+|[._-]+$/g, '');
  return name === '' || TAKEN.has(name) ? null : name;
}
