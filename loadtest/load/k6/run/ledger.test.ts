import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from './ledger.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'claret-test-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string) {
  const path = join(folder, 'ledger.jsonl');
  writeFileSync(path, text);
  const lines = [];
  for await (const line of readLedger(path)) lines.push(line);
  return lines;
}

const BID = '["bid",1000,1.5,"accepted","u7",{"item":"i1","amount":5,"max":5}]';
const REFUSED = '["bid",1001,2,"refused:bid_too_low","u8",{"item":"i1","amount":5,"max":5}]';

test('lines are read in order', async () => {
  const lines = await read(`${BID}\n${REFUSED}\n`);
  expect(lines).toEqual([JSON.parse(BID), JSON.parse(REFUSED)]);
});

test('an empty file is an empty ledger', async () => {
  expect(await read('')).toEqual([]);
});

test('an invalid line is returned as text at its position, and the lines around it are parsed', async () => {
  const cut = REFUSED.slice(0, -4);
  expect(await read(`${BID}\na warning\n\n${BID}\n${cut}`)).toEqual([JSON.parse(BID), 'a warning', '', JSON.parse(BID), cut]);
});

test('a line with a missing member or of an unknown kind is invalid', async () => {
  const texts = [
    '[]',
    '{}',
    '["bid",1,2,"accepted","u1"]',
    '["bid","1",2,"accepted","u1",{}]',
    '["bid",1,null,"accepted","u1",{}]',
    '["bid",1,2,"refused:","u1",{}]',
    '["bid",1,2,"fine","u1",{}]',
  ];
  expect(await read(texts.join('\n'))).toEqual(texts);
});
