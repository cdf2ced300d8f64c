// The examples of "Read, decide, write" (docs/clients.md) as callers run them: a shell with curl, and programs in other languages, several at once.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const docs = new URL('../../../docs/', import.meta.url);
const example = (file: string): string => fileURLToPath(new URL(`examples/${file}`, docs));
const isThere = (program: string, asks: string): boolean => spawnSync(program, [asks]).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'claret-examples-'));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

async function run(program: string, words: readonly string[], gateway = 0): Promise<string> {
  const env = { ...process.env, CLARET_GATEWAY: cluster.gateways[gateway]!.member.rest };
  return (await promisify(execFile)(program, words, { env })).stdout;
}
const read = async (key: string, type: string, operation: string): Promise<unknown> =>
  (await cluster.gateways[0]!.rest.inject(`/v1/records/${key}?type=${type}&operation=${operation}`)).json().value;
async function clear(): Promise<void> {
  const operations = ['item:7', 'item:7:bids'].map((key) => ({ key, type: 'Record', operation: 'delete' }));
  await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations } });
}

test.skipIf(!isThere('curl', '--version'))('with curl, the second of two writes on one reading is refused', async () => {
  await clear();
  const page = readFileSync(new URL('clients.md', docs), 'utf8').split('## Read, decide, write')[1]!;
  const script = /^```sh\n(.*?)^```$/ms.exec(page)![1]!.replaceAll('127.0.0.1:7400', cluster.gateways[1]!.member.rest);
  const lines = (await run('sh', ['-c', script.replaceAll(/^(?=curl)/gm, 'echo; ')])).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ value: null }, { results: [null, null] }]);
  const write = script.slice(script.lastIndexOf('curl'));
  expect(JSON.parse(await run('sh', ['-c', write]))).toMatchObject({ code: 'expectation_failed', unmet: [{ index: 0, result: 12 }] });
});

/** Each tells how its program is run. */
const PROGRAMS = {
  Python: { isThere: isThere('python3', '--version'), begin: async () => ['python3', example('bid.py')] },
  Go: {
    isThere: isThere('go', 'version'),
    begin: async () => {
      await run('go', ['build', '-o', join(folder, 'bid'), example('bid.go')]);
      return [join(folder, 'bid')];
    },
  },
};

describe.each(Object.entries(PROGRAMS))('in %s', (_, program) => {
  test.skipIf(!program.isThere)('of many bids at once, each that became the highest one is counted', async () => {
    await clear();
    const [name, ...words] = await program.begin();
    const place = async (offer: number, gateway: number) => (await run(name!, [...words, `${offer}`], gateway)).trim();
    expect([await place(10, 0), await place(10, 1)]).toEqual(['highest', 'too low']);
    const told = await Promise.all([14, 12, 16, 11, 15, 13].map((offer, i) => place(offer, i % 2)));
    expect(told[2]).toBe('highest');
    expect(await read('item:7', 'Register', 'get')).toBe(16);
    expect(await read('item:7:bids', 'Counter', 'value')).toBe(1 + told.filter((word) => word === 'highest').length);
  });
});
