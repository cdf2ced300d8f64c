// Reader of a storm's ledger in k6's console output: one JSON array per line and nothing else. It reads line by line, however long
// the ledger is.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LedgerLine } from '../storm.ts';

const OUTCOME = /^(?:accepted|refused:.+|shed|unknown|failed)$/;

/** An invalid line, such as one that was cut off, is returned as text: the check reports it. */
export async function* readLedger(path: string): AsyncGenerator<LedgerLine | string> {
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) yield parsed(text) ?? text;
}

function parsed(text: string): LedgerLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : null;
  } catch {
    return null;
  }
}

function isLine(line: unknown): line is LedgerLine {
  if (!Array.isArray(line) || line.length !== 6) return false;
  const [kind, at_ms, ms, outcome, person_id, facts] = line as unknown[];
  return (
    typeof kind === 'string' &&
    isNumber(at_ms) &&
    isNumber(ms) &&
    typeof outcome === 'string' &&
    OUTCOME.test(outcome) &&
    typeof person_id === 'string' &&
    typeof facts === 'object' &&
    facts !== null
  );
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
