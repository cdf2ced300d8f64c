// Error messages for requests that do not match their schema, from a real gateway, since they depend on its validator.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(1);
});
afterAll(() => cluster.close());

type Method = 'GET' | 'POST' | 'PUT';
async function detailOf(method: Method, url: string, payload?: object | string, type = 'application/json'): Promise<string> {
  const headers = payload === undefined ? {} : { 'content-type': type };
  const answer = await cluster.gateways[0]!.rest.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  const { code, detail } = answer.json() as { code: string; detail: string };
  return `${answer.statusCode} ${code}: ${detail}`;
}

const operation = (members: object) => ({ operations: [{ key: 'a', type: 'Set', operation: 'add', arguments: ['x'], ...members }] });

test.each<[string, Method, string, object | string | undefined, string]>([
  ['an unknown member', 'POST', '/v1/transactions', { ...operation({}), bar: 1 }, '400 invalid_request: The body has no member "bar".'],
  [
    'an unknown member inside',
    'POST',
    '/v1/transactions',
    operation({ 'a/b': 1 }),
    '400 invalid_request: "operations[0]" in the body has no member "a/b".',
  ],
  [
    'missing members',
    'POST',
    '/v1/transactions',
    { operations: [{ key: 'a' }] },
    '400 invalid_request: "operations[0]" in the body needs "type" and "operation".',
  ],
  [
    'a member of another type',
    'POST',
    '/v1/transactions',
    operation({ arguments: 'x' }),
    '400 invalid_request: "operations[0].arguments" in the body must be array.',
  ],
  [
    'no operations',
    'POST',
    '/v1/transactions',
    { operations: [] },
    '400 invalid_request: "operations" in the body must not have fewer than 1 items.',
  ],
  ['no body', 'POST', '/v1/transactions', undefined, '400 invalid_request: The body must be object.'],
  [
    'a value that is not on the list',
    'PUT',
    '/v1/admin/conditions',
    { locks: 'x', phasing: true, combining: 'on' },
    '400 invalid_request: "locks" in the body must be one of "rw" and "abstract".',
  ],
  ['a missing query parameter', 'GET', '/v1/records/a?type=set', undefined, '400 invalid_request: The query needs "operation".'],
  [
    'a query parameter beyond its limit',
    'GET',
    '/v1/telemetry?frames=99',
    undefined,
    '400 invalid_request: "frames" in the query must be <= 25.',
  ],
  [
    'too few arguments',
    'POST',
    '/v1/transactions',
    operation({ arguments: [] }),
    '400 wrong_argument_count: Set.add a: the operation takes 1 argument, not 0',
  ],
  [
    'too many arguments',
    'POST',
    '/v1/transactions',
    operation({ operation: 'size' }),
    '400 wrong_argument_count: Set.size a: the operation takes no arguments, not 1',
  ],
  [
    'broken JSON',
    'POST',
    '/v1/transactions',
    '{"a"',
    "400 malformed_json: The body is not JSON: Expected ':' after property name in JSON at position 4 (line 1 column 5)",
  ],
])('%s is described in a sentence', async (_what, method, url, payload, expected) => {
  expect(await detailOf(method, url, payload)).toBe(expected);
});

test('the error for a form asks for JSON', async () => {
  expect(await detailOf('POST', '/v1/transactions', 'a=1', 'application/x-www-form-urlencoded')).toBe(
    '415 unsupported_media_type: The body must be JSON: send the header "content-type: application/json".',
  );
});
