// The process of `claret`: one command line, then its exit code.

import process from 'node:process';
import { run } from './program.ts';
import { processTerminal } from './terminal.ts';

const code = await run(process.argv.slice(2), processTerminal());
// The exit does not wait for a connection that is still being closed, but all output is flushed first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
