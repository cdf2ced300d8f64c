import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { makeHost, serve } from './testing/grpc-server.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

let address: string;
let stop: () => void;

beforeAll(async () => {
  const addresses: string[] = [];
  const host = makeHost(0, 1);
  const served = await serve(host, () => addresses);
  addresses.push((address = served.address));
  stop = () => {
    served.stop();
    host.stop();
  };
});
afterAll(() => stop());

/** Runs a script of a page, with the address of the shard in it; returns what it prints. */
async function printed(script: string): Promise<string> {
  const args = ['--input-type=module', '-e', script.replace('127.0.0.1:7401', address)];
  return (await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 150_000 })).stdout;
}

const firstBlock = (page: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(`${folder}/${page}`, 'utf8'))![1]!;

it('the README shows a script that works unchanged and exits by itself', async () => {
  const script = firstBlock('README.md', 'js');
  expect(await printed(script)).toBe('visit 1\n');
  expect(await printed(script)).toBe('visit 2\n');
});

it('the page on transactions begins with a body that works unchanged', async () => {
  const script = `${firstBlock('../docs/transactions.md', 'ts')}
    console.log(sold, await claret.native.counter('seller:3:sold').value(), await claret.native.scoredSet('buyer:7:items').size());
    await claret.close();`;
  expect(await printed(script)).toBe('false 0 0\n');
  const claret = await connect({ addresses: [address] });
  const { on } = claret;
  await claret.transact('Offer', [on.dict('item:42').set({ status: 'open' }), on.boundedCounter('item:42:stock').increment(1)]);
  await claret.close();
  expect(await printed(script)).toBe('true 1 1\n');
  expect(await printed(script)).toBe('false 1 1\n');
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
