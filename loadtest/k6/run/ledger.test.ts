import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LedgerBroken, readLedger } from './ledger.ts';

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

test('lines are read in order, and what else was said is passed over', async () => {
  const lines = await read(`a warning of k6\n${BID}\n{"not": "a line"}\n${REFUSED}\n`);
  expect(lines.map(([, at_ms, , outcome]) => [at_ms, outcome])).toEqual([[1000, 'accepted'], [1001, 'refused:bid_too_low']]);
});

test('a ledger that nothing was written to is empty', async () => {
  expect(await read('')).toEqual([]);
});

test('a line that was cut off is no line: the ledger is broken, and the message says where', async () => {
  await expect(read(`${BID}\n${REFUSED.slice(0, -4)}`)).rejects.toThrow(LedgerBroken);
  await expect(read(`${BID}\n${REFUSED.slice(0, -4)}`)).rejects.toThrow(/line 2 of .*ledger\.jsonl/);
});

test('a line with something missing or of another kind is none', async () => {
  for (const text of ['[]', '["bid",1,2,"accepted","u1"]', '["bid","1",2,"accepted","u1",{}]', '["bid",1,null,"accepted","u1",{}]', '["bid",1,2,"refused:","u1",{}]', '["bid",1,2,"fine","u1",{}]']) {
    await expect(read(text), text).rejects.toThrow(LedgerBroken);
  }
});
