import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

it('a wrong flag ends the driver with code 2 and a line with the reason', () => {
  const wrong: readonly (readonly [flag: string, value: string, why: string])[] = [
    ['spike', 'flood', '--spike takes one of bid-spike, viral-post, popular-post, natives, lists, rawmix; not "flood"'],
    ['seconds', '121', '--seconds takes a number from 1 to 120, not "121"'],
    ['clients', '2.5', '--clients takes a whole number from 1 to 384, not "2.5"'],
    ['alpha', '3', '--alpha takes a number from 0 to 2, not "3"'],
  ];
  for (const [flag, value, why] of wrong) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, `--${flag}`, value], { encoding: 'utf8' });
    expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', why]);
  }
});
