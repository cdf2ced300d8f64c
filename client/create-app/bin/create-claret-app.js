#!/usr/bin/env node
// `npm create claret-app`: runs the compiled program if there is one (on Node 20 or later), else its source, which requires Node 24.
import { existsSync } from 'node:fs';

const built = new URL('../dist/src/main.js', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);

const { main } = await import((existsSync(built) ? built : source).href);
process.exitCode = main(process.argv.slice(2));
