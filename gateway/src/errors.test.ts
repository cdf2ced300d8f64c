import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS } from './errors.ts';
import type { ErrorCode, ErrorRow } from './errors.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const table = ERRORS as Record<string, ErrorRow>;

test("every code that a shard can answer is in the gateway's table", () => {
  const core = [...read('../../server-core/src/errors.h').matchAll(/std::string_view k\w+ = "(\w+)";/g)].map((match) => match[1]!);
  expect(core.length).toBeGreaterThan(20);
  expect(core.filter((code) => !(code in table))).toEqual([]);
});

test("every code that the client can raise is in the gateway's table", () => {
  const list = /export const codes = \{([^]*?)\} as const/.exec(read('../../client/src/errors.ts'))![1]!;
  const client = [...list.matchAll(/\w+: '(\w+)'/g)].map((match) => match[1]!);
  expect(client.length).toBeGreaterThan(10);
  expect(client.filter((code) => !(code in table))).toEqual([]);
});

test('docs/errors.md lists exactly the codes of the table, with what the table says', () => {
  const rows = read('../../docs/errors.md').split('\n').filter((line) => line.startsWith('| `'));
  const expected = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { http, grpc, retryable, meaning } = table[code]!;
    return `| \`${code}\` | ${http} | ${grpc} | ${retryable ? 'yes' : 'no'} | ${meaning} |`;
  });
  expect(rows).toEqual(expected);
});

test('codes are spelled alike, and a retryable one never says 400', () => {
  for (const [code, row] of Object.entries(table)) {
    expect(code).toMatch(/^[a-z][a-z0-9_]+$/);
    if (row.retryable) expect([code, row.http]).not.toEqual([code, 400]);
  }
});
