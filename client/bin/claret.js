#!/usr/bin/env node
// `claret`: runs the built command line if there is one (on Node 20 or later), else its sources, which require Node 24.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../cli/main.ts', import.meta.url);
const OLDEST_FOR_SOURCES = 24;

if (existsSync(built)) {
  await import(built.href);
} else if (Number(process.versions.node.split('.')[0]) >= OLDEST_FOR_SOURCES) {
  await import(source.href);
} else {
  process.stderr.write(
    `claret: this copy is not built, and running it from source takes Node ${OLDEST_FOR_SOURCES}; this is Node ${process.versions.node}.\n` +
      'In the repository, run it as `npx claret`, which brings its own Node; or build the package first.\n',
  );
  process.exitCode = 2;
}
