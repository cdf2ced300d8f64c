#!/usr/bin/env node
// `claret-gateway`: the built gateway of the published package. In the repository, run `node gateway/src/main.ts`.
import process from 'node:process';

try {
  await import('../dist/src/main.js');
} catch (error) {
  if (error?.code !== 'CLARET_CORE_NOT_LOADED') throw error;
  process.stderr.write(`claret-gateway: ${error.message}\n`);
  process.exitCode = 1;
}
