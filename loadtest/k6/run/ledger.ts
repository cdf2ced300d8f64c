// The ledger of a storm as it stands in k6's console output: one JSON array a line, read one line at a time, however long.
// Lines that begin otherwise are what scripts and k6 say beside it.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LedgerLine } from '../storm.ts';

const OUTCOME = /^(?:accepted|refused:.+|shed|unknown|failed)$/;

export class LedgerBroken extends Error {}

/** Throws LedgerBroken where a line is cut off or is none: half a ledger would make an honest store look like a liar. */
export async function* readLedger(path: string): AsyncGenerator<LedgerLine> {
  let number = 0;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const text of lines) {
    number++;
    if (!text.startsWith('[')) continue;
    const line = parsed(text);
    if (line === null) throw new LedgerBroken(`line ${number} of ${path} is no line of a ledger: ${text.slice(0, 200)}`);
    yield line;
  }
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
  return typeof kind === 'string' && isNumber(at_ms) && isNumber(ms) && typeof outcome === 'string' && OUTCOME.test(outcome)
    && typeof person_id === 'string' && typeof facts === 'object' && facts !== null;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
