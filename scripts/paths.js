// Absolute paths in the project.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {...string} parts a path inside the project */
export const inProject = (...parts) => join(ROOT, ...parts);
