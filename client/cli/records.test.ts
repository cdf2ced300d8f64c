// The operations that every record has, `claret Record.delete KEY` and others, against a real cluster of two shards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { TALLY } from '../../gateway/src/testing/definitions.ts';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { pastMs: 60_000 });
});
afterAll(() => cluster.close());

const run = (...words: string[]) => claret(words, { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });
const answer = async (...words: string[]): Promise<string> => {
  const { out, err } = await run(...words);
  return (out + err).trimEnd();
};

test('a record of any type is deleted: in a transaction, as a native, and among other operations', async () => {
  for (const how of [[], ['--native']]) {
    await run('Set.add', 'tags', 'apple');
    expect(await answer('Record.exists', 'tags')).toBe('true');
    expect(await answer('record.delete', 'tags', ...how)).toBe('true');
    expect(await answer('Record.delete', 'tags', ...how)).toBe('false');
  }
  await run('Counter.add', 'visits', '5');
  expect(await answer('transact', 'Record.delete visits', 'Set.add tags plum')).toMatch(
    /^committed .*\n {2}Record\.delete +visits +true\n/,
  );
  const operations = [{ key: 'tags', type: 'record', operation: 'type' }];
  const { out } = await claret(['transact', '--json'], {
    env: { CLARET_GATEWAY: cluster.gateways[1]!.member.rest },
    input: JSON.stringify(operations),
  });
  expect(JSON.parse(out)).toMatchObject({ results: ['Set'] });
});

test('so is one of an installed type, and of a retired one', async () => {
  const rest = (method: string, path: string, body = {}) =>
    fetch(`http://${cluster.gateways[0]!.member.rest}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
  await rest('POST', '/v1/types', { definition: TALLY });
  await run('Tally.add', 'votes', '1');
  await run('Tally.add', 'votes:old', '1');
  expect(await answer('Record.type', 'votes')).toBe('Tally');
  expect(await answer('Record.delete', 'votes')).toBe('true');
  await rest('DELETE', '/v1/types/Tally');
  expect(await answer('Record.type', 'votes:old')).toBe('Tally');
  expect(await answer('Record.delete', 'votes:old')).toBe('true');
  expect(await answer('get', 'votes:old')).toBe('claret: There is no record at votes:old.');
});

test('a record is told when it expires, and stays after all', async () => {
  const soon = String(Date.now() + 3_600_000);
  await run('Register.set', 'greeting', 'hello');
  expect(await answer('Record.expire', 'greeting', soon, 'ifNone')).toBe('true');
  expect(await answer('Record.expiresAt', 'greeting')).toBe(soon);
  expect(await answer('Record.persist', 'greeting')).toBe('true');
  expect(await answer('Record.expiresAt', 'greeting')).toBe('(none)');
  expect(await answer('Record.expire', 'greeting', 'soon', 'always')).toContain('the argument at_ms is an integer');
});

test('they are listed and explained beside the types', async () => {
  expect(await answer('types')).toMatch(/^Record +delete exists type expire persist expiresAt$/m);
  expect(await answer('types', 'Record')).toContain('Record.expire KEY AT_MS WHEN  → boolean');
  expect(await answer('Record.delet', 'tags')).toContain('Did you mean Record.delete?');
  expect(await answer('help', 'Record.delete')).toContain('claret Record.delete visits');
});

test('whether it is there can be watched, and not be asked for what was', async () => {
  await run('Set.add', 'seen', 'apple');
  expect(JSON.parse(await answer('watch', 'Record.exists', 'seen', '--count', '1', '--json'))).toMatchObject({ value: true });
  expect(await answer('Record.exists', 'seen', '--at', '1s')).toContain('is not kept');
});
