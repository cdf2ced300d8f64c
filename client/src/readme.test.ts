import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeHost, serve } from './testing/grpc-server.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

describe('the README', () => {
  it('shows a script that works unchanged and exits by itself', async () => {
    const script = /```js\n([\s\S]*?)```/.exec(readFileSync(`${folder}/README.md`, 'utf8'))![1]!;
    const addresses: string[] = [];
    const host = makeHost(0, 1);
    const { address, stop } = await serve(host, () => addresses);
    addresses.push(address);
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script.replace('127.0.0.1:7401', address)], {
        cwd: folder,
        timeout: 150_000,
      });
    expect((await run()).stdout).toBe('visit 1\n');
    expect((await run()).stdout).toBe('visit 2\n');
    stop();
    host.stop();
  });
});

describe('the source', () => {
  it('uses time, timers and random numbers only through the environment', () => {
    const forbidden = /\b(Date\.now|performance\.now|Math\.random|setTimeout\(|setInterval\(|setImmediate\(|crypto\.)/;
    // These files use a real network, or only tests use them.
    const outside = /environment\.ts$|^transport\/grpc|testing|\.test\.ts$/;
    const files = readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const found = files
      .filter((file) => !outside.test(file))
      .filter((file) =>
        readFileSync(`${folder}/src/${file}`, 'utf8')
          .split('\n')
          .some((line) => forbidden.test(line.replace(/environment\.\w+\(/g, ''))),
      );
    expect(files.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
  });
});
