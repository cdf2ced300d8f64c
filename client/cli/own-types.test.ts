// Data types of an application's own on the command line, against a real cluster.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { BROKEN_TALLY, SEAT_MAP, TALLY, TICKETS } from '../../gateway/src/testing/definitions.ts';
import { claret, type Ended } from './testing.ts';

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-cli-'));
  cluster = await startCluster(2);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]): Promise<Ended> =>
  claret(['types', ...words], { env: { CLARET_GATEWAY: cluster.gateways[1]!.member.rest } });

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const typed = (definition: string) => `{ definition: ${JSON.stringify(definition)}, name: 'ignored' }`;

test('check tries all types that a module exports, and says which pairs are never together', async () => {
  const module = file(
    'types.mjs',
    `export const a = ${typed(TICKETS)}; export const b = ${typed(SEAT_MAP)}; export const other = 5; export default a;`,
  );
  const { code, out } = await run('check', module, '--seconds', '0.5');
  expect(code).toBe(0);
  expect(out).toMatch(/^Tickets 1 {2}[0-9a-f]{8}… {2}15 pairs tried, [\d,]+ cases: no law is broken$/m);
  expect(out).toMatch(/^ {2}never together: draw and draw, draw and names {2}\(one always waits for the other\)$/m);
  expect(out).toMatch(/^SeatMap 1 {2}/m);
  expect((await run('check', module, '--name', 'SeatMap', '--seconds', '0.1')).out).not.toContain('Tickets');
});

test('check takes a definition as JSON, and explains what is broken', async () => {
  const path = file('broken.json', BROKEN_TALLY);
  const { code, out, err } = await run('check', path, '--seed', '1');
  expect([code, err]).toEqual([1, 'claret: Tally: a law is broken.\n']);
  expect(out).toMatch(/^Tally 1 {2}[0-9a-f]{8}… {2}BROKEN: pairs: add, reached\n {2}After: [^\n]+\n {2}Comes: /);
  expect(out).toContain('"promise: another result of reached" = reached was answered while others held the record;');
  expect(out).toContain('Suggest: the claim in `commutes` for add and reached is too wide.');
  expect(out).toContain(`Find it again: claret types check ${path} --seed 1`);
});

test('a type is installed, listed and retired, from a module in TypeScript too', async () => {
  expect((await run('list')).out).toBe('No data types are installed beside the built-in ones.\n');
  const module = file('tally.ts', `const tally: { definition: string; name: string } = ${typed(TALLY)};\nexport { tally };\n`);
  expect((await run('install', module)).out).toMatch(/^Tally 1 {2}[0-9a-f]{8}… {2}installed\n$/);
  expect((await run('list')).out).toMatch(/^type +version +hash +state *\nTally +1 +[0-9a-f]{8}… +installed *\n$/);
  expect((await run('retire', 'Tally')).out).toBe('Tally  retired: its operations are refused, and its records can be deleted\n');
  const { installed } = JSON.parse((await run('list', '--json')).out) as { installed: object[] };
  expect(installed).toMatchObject([{ id: 128, name: 'Tally', retired: true }]);
});

test('operations of an installed type are commands, and its refusals are told with their codes', async () => {
  await run('install', file('seats.json', SEAT_MAP));
  const perform = (...words: string[]) => claret(words, { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });
  expect(await perform('SeatMap.open', 'hall', 'stalls', '2')).toEqual({ code: 0, out: 'ok\n', err: '' });
  expect(await perform('seatmap.reserve', 'hall', 'stalls', 'A1', 'ann')).toMatchObject({ code: 0 });
  expect(await perform('SeatMap.left', 'hall', 'stalls')).toMatchObject({ code: 0, out: '1\n' });
  expect(JSON.parse((await perform('SeatMap.guest', 'hall', 'A1', '--json')).out)).toMatchObject({
    operation: 'SeatMap.guest',
    result: 'ann',
  });
  const taken = await perform('SeatMap.reserve', 'hall', 'stalls', 'A1', 'bob', '--json');
  expect([taken.code, JSON.parse(taken.err)]).toMatchObject([
    1,
    { error: { code: 'SeatMap.taken', message: 'SeatMap.reserve hall: the seat is taken.' } },
  ]);
  expect(await perform('SeatMap.lef', 'hall')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean SeatMap.left?') });
  expect(await perform('SeatMap.left', 'hall')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Usage: claret SeatMap.left KEY SECTION'),
  });
  expect(await perform('Seats.left', 'hall')).toMatchObject({ code: 2, err: expect.stringContaining('There is no data type Seats.') });
  expect((await run('SeatMap')).out).toContain('SeatMap.left KEY SECTION  → integer');
});

test('transact takes operations of installed types, from arguments, lines and JSON', async () => {
  const env = { CLARET_GATEWAY: cluster.gateways[0]!.member.rest };
  const transact = (...words: string[]) => claret(['transact', ...words], { env });
  const sold = ['SeatMap.open theatre stalls 2', 'seatmap.reserve theatre stalls B1 ann', 'Counter.add sold 1'];
  expect(await transact(...sold)).toMatchObject({ code: 0, out: expect.stringContaining('SeatMap.reserve') });
  const lines = file('lines.txt', `# a seat\nSeatMap.reserve theatre stalls B2 bob\n${sold[2]}\nSeatMap.left theatre stalls\n`);
  const { code, out } = await transact('--id', 'order-1', '--file', lines, '--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { results: [null, null, 1], replayed: false }]);
  expect(JSON.parse((await transact('--id', 'order-1', '--file', lines, '--json')).out)).toMatchObject({ results: [null, null, 1] });
  const operations = [
    { key: 'theatre', type: 'SeatMap', operation: 'guest', arguments: ['B1'] },
    { key: 'sold', type: 'counter', operation: 'value' },
  ];
  const json = await transact('--file', file('asked.json', JSON.stringify({ operations })), '--json');
  expect(JSON.parse(json.out)).toMatchObject({ results: ['ann', 2] });
  const taken = await transact(sold[2]!, sold[1]!, '--json');
  expect([taken.code, JSON.parse(taken.err)]).toMatchObject([1, { error: { code: 'SeatMap.taken' } }]);
  expect(await transact('SeatMap.lef theatre')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean SeatMap.left?') });
  expect(await transact('Seats.left theatre')).toMatchObject({ code: 2, err: expect.stringContaining('There is no data type Seats.') });
});

test('get shows what a record of an installed type answers without arguments', async () => {
  const env = { CLARET_GATEWAY: cluster.gateways[1]!.member.rest };
  await run('install', file('tickets.json', TICKETS));
  expect(await claret(['Tickets.draw', 'queue', 'ann'], { env })).toMatchObject({ code: 0 });
  const { out } = await claret(['get', 'queue'], { env });
  expect(out).toMatch(/^queue {2}Tickets {2}shard \d\nnames\nfield {2}value\n1 +ann\n/);
  expect(JSON.parse((await claret(['get', 'queue', '--json'], { env })).out)).toMatchObject({
    type: 'Tickets',
    value: { names: { 1: 'ann' } },
  });
  await claret(['SeatMap.open', 'cinema', 'stalls', '2'], { env });
  expect(await claret(['get', 'cinema'], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('cinema is a SeatMap, all of whose'),
  });
});

test('a retired type is named wherever one of its operations or records is asked for', async () => {
  const env = { CLARET_GATEWAY: cluster.gateways[0]!.member.rest };
  const perform = (...words: string[]) => claret(words, { env });
  await run('install', file('tally.json', TALLY));
  await perform('Tally.add', 'votes', '1');
  await run('retire', 'Tally');
  const words = 'The data type Tally is retired: its operations are refused.';
  const refused = { code: 1, out: '', err: `claret: ${words}\n        Installed again, it is back.\n` };
  expect(await perform('tally.add', 'votes', '1')).toEqual(refused);
  expect(await perform('transact', 'Counter.add votes:all 1', 'Tally.add votes 1')).toEqual(refused);
  expect(await perform('get', 'votes')).toEqual(refused);
  expect(await perform('types', 'Tally')).toEqual(refused);
  const lines = await perform('transact', '--file', file('retired.txt', '# votes\nTally.add votes 1\n'), '--json');
  expect([lines.code, JSON.parse(lines.err)]).toMatchObject([1, { error: { code: 'type_retired', message: `Line 2: ${words}` } }]);
  const operations = [{ key: 'votes', type: 'Tally', operation: 'add', arguments: [1] }];
  expect(await perform('transact', '--file', file('retired.json', JSON.stringify(operations)))).toEqual(refused);
});

test('install refuses what is broken, and shows the case', async () => {
  const { code, out, err } = await run('install', file('broken.json', BROKEN_TALLY));
  expect([code, err]).toEqual([1, 'claret: Tally: a law is broken, so it is not installed.\n']);
  expect(out).toContain('Comes: add(');
  const { out: json } = await run('install', file('broken.json', BROKEN_TALLY), '--json');
  expect(JSON.parse(json)).toMatchObject({ name: 'Tally', failure: { law: 'pairs' } });
});

test('problems have their words and exit codes', async () => {
  const empty = file('empty.mjs', 'export const a = 1;');
  const module = file('one.mjs', `export const a = ${typed(TALLY)};`);
  expect(await run('check', empty)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/exports no data type[^]*@claret\/client\/types/),
  });
  expect(await run('check', module, '--name', 'Taly')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean Tally?') });
  expect(await run('check', join(folder, 'nowhere.mjs'))).toMatchObject({ code: 2, err: expect.stringContaining('cannot be loaded') });
  expect(await run('check', module, '--seconds', '1e9')).toMatchObject({ code: 2 });
  expect(await run('check')).toMatchObject({ code: 2, err: expect.stringContaining('Usage: claret types check [options] FILE') });
  expect(await run('install', file('wrong.json', '{"format":1,"name":"X"}'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('no definition'),
  });
  expect(await run('retire', 'Nothing')).toMatchObject({ code: 1, err: "claret: No data type 'Nothing' is installed.\n" });
});
