// The TypeScript of all packages, compiled once into one tree that mirrors the project's: JavaScript for Node 20 and declarations.
import { rmSync } from 'node:fs';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { node24 } from '../setup/node24.js';

/** As tsconfig.packages.json has it, which also knows what Node 20 lacks. */
export const COMPILED = inProject('dist', 'packages', 'compiled');

export async function compile() {
  await step('JavaScript and declarations', async () => {
    rmSync(COMPILED, { recursive: true, force: true });
    const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
    const { code, output } = await runTool(node24(), [tsc, '-p', inProject('tsconfig.packages.json')], { cwd: inProject() });
    if (code !== 0) throw new Problem('The packages do not compile for Node 20 (tsconfig.packages.json).', output);
  });
}
