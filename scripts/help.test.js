// Every command answers `--help`, and sets up nothing but the packages that the text itself needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inProject } from './paths.js';

/** @type {{scripts: Record<string, string>}} */
const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
const commands = Object.values(scripts)
  .map((line) => /launcher\.js (\S+)/.exec(line)?.[1])
  .filter((name) => name !== undefined);

for (const name of commands) {
  test(`${name} --help prints its usage and builds nothing`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [inProject('scripts', 'launcher.js'), name, '--help'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`npm (run )?${name}`));
    assert.doesNotMatch(stdout + stderr, /C\+\+ core/);
  });
}
