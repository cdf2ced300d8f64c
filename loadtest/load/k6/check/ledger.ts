// The ledger as the check uses it: each line is validated, and writes that may have happened are kept by kind.
//
// An accepted write has happened. A write with the outcome `unknown` or `failed` may have happened. A refused or shed write has not
// happened and is not kept: an effect without a matching kept write is reported as such.

import type { LedgerFacts, LedgerKind, LedgerLine } from '../storm.ts';
import { Findings } from '../../../invariants/findings.ts';

export type WriteKind = Exclude<LedgerKind, 'read'>;

export interface Write<Kind extends WriteKind> {
  ended_ms: number;
  /** it has happened; false: it may have */
  certain: boolean;
  person_id: string;
  facts: LedgerFacts[Kind];
}

export type Writes = { [Kind in WriteKind]: Write<Kind>[] };

type FactType = 'text' | 'number' | 'text, once accepted' | 'text, if known';

/** The types of each kind's facts, as in LedgerFacts. */
const FACTS: { [Kind in LedgerKind]: Record<keyof Required<LedgerFacts[Kind]>, FactType> } = {
  bid: { item: 'text', amount: 'number', max: 'number', bid_id: 'text, if known' },
  buy: { item: 'text', quantity: 'number', key: 'text', purchase_id: 'text, once accepted' },
  comment: { item: 'text', about: 'text', rating: 'number' },
  open: { item: 'text, once accepted' },
  post: { text: 'text', key: 'text', post_id: 'text, once accepted' },
  repost: { post: 'text' },
  unrepost: { post: 'text' },
  follow: { who: 'text' },
  register: { name: 'text' },
  read: { page: 'text', door: 'text, if known' },
};
const OUTCOME = /^(?:accepted|shed|unknown|failed|refused:.+)$/;
const SHOWN_LENGTH_MAX = 120;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function isFact(value: unknown, type: FactType, accepted: boolean): boolean {
  if (type === 'number') return Number.isSafeInteger(value);
  if (type === 'text' || value !== undefined) return isText(value);
  return type === 'text, if known' || !accepted;
}

/** The expectation that an invalid line violates; null: it is valid. */
function wrongWith(line: unknown): string | null {
  if (!Array.isArray(line) || line.length !== 6) return 'six members';
  const [kind, at_ms, ms, outcome, person_id, facts] = line as unknown[];
  if (!isText(kind) || !Object.hasOwn(FACTS, kind)) return 'a known kind';
  if (!isTime(at_ms) || !isTime(ms)) return 'times';
  if (!isText(outcome) || !OUTCOME.test(outcome)) return 'a known outcome';
  const maybe = outcome === 'accepted' || outcome === 'unknown' || outcome === 'failed';
  if (typeof person_id !== 'string') return 'a person';
  if (kind !== 'read' && kind !== 'register' && maybe && person_id === '') return 'a person';
  if (typeof facts !== 'object' || facts === null) return 'facts';
  if (!maybe) return null;
  for (const [name, type] of Object.entries(FACTS[kind as LedgerKind])) {
    if (!isFact((facts as Record<string, unknown>)[name], type, outcome === 'accepted')) return `${name} (${type})`;
  }
  return null;
}

export class Ledger {
  readonly writes: Writes = { bid: [], buy: [], comment: [], open: [], post: [], repost: [], unrepost: [], follow: [], register: [] };
  /** lines that cannot be read */
  readonly findings = new Findings('ledger');
  lines = 0;
  /** when the last write of unknown outcome ended for its sender; 0: there is none */
  doubtful_until_ms = 0;

  /** @param line a JSON text, or a parsed line */
  take(line: unknown): void {
    this.lines++;
    let read = line;
    try {
      if (typeof line === 'string') read = JSON.parse(line);
    } catch {
      read = null;
    }
    const wrong = wrongWith(read);
    if (wrong === null) return this.#keep(read as LedgerLine);
    const text = typeof line === 'string' ? line : (JSON.stringify(line) ?? String(line));
    this.findings.add(`line ${this.lines}`, wrong, text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text);
  }

  #keep([kind, at_ms, ms, outcome, person_id, facts]: LedgerLine): void {
    if (kind === 'read' || outcome === 'shed' || outcome.startsWith('refused:')) return;
    const certain = outcome === 'accepted';
    const write = { ended_ms: at_ms + ms, certain, person_id, facts };
    (this.writes[kind] as Write<WriteKind>[]).push(write);
    if (!certain) this.doubtful_until_ms = Math.max(this.doubtful_until_ms, write.ended_ms);
  }
}
