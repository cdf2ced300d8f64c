// The ledger: one JSON array per line, on k6's console output, which contains nothing else. k6 writes each line with one call,
// completely and in order; with `--log-format raw` it adds nothing.
//
// The metrics of responses are here too: latencies by kind and outcome, and the rates of failures.

import { Counter, Rate, Trend } from 'k6/metrics';
import type { LedgerFacts, LedgerKind, LedgerLine, LedgerOutcome } from '../storm.ts';

const answer_ms = new Trend('answer_ms', true);
const failed_answers = new Counter('failed_answers');
const unknown_answers = new Rate('unknown_answers');

/** The outcome of a request. */
export interface Told {
  at_ms: number;
  ms: number;
  outcome: LedgerOutcome;
}

/** Refusals form one series, whatever their code. */
function count(kind: LedgerKind, { ms, outcome }: Told): void {
  answer_ms.add(ms, { kind, outcome: outcome.startsWith('refused') ? 'refused' : outcome });
  unknown_answers.add(outcome === 'unknown');
  if (outcome === 'failed') failed_answers.add(1);
}

/** Counts the request and writes its line. `person_id`: empty if nobody was logged in. */
export function tell<Kind extends LedgerKind>(kind: Kind, told: Told, person_id: string, facts: LedgerFacts[Kind]): void {
  count(kind, told);
  const line = [kind, told.at_ms, told.ms, told.outcome, person_id, facts] as LedgerLine;
  console.log(JSON.stringify(line));
}
