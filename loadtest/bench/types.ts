// Types of your own: the operations of the example types, beside hand-written transactions that do the same, and single built-in operations.
//
// SeatMap.reserve, RateLimiter.allow and Leaderboard.score, each on one hot record with --in-flight of them under way, from a driver process. The ways
// (types/question.ts) take turns, each round beginning with another one, so that other work on the machine and what came before affect all of them alike. A figure is the median of the
// rounds, a ratio the median of the ratios within them. The gateway does not poll, so its CPU time is that of the operations. After each cell
// what is stored is compared with what was acknowledged.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import type { Span } from '../kit/closed-loop.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { Progress } from '../kit/progress.ts';
import { withCluster } from '../kit/with-cluster.ts';
import type { Question } from './types/question.ts';
import { emptyCells, inTurn, rowsOf, typesTable, verdicts } from './types/report.ts';
import { TYPES } from './types/subjects.ts';

const options = readFlags({
  json: { type: 'string' },
  seconds: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  'in-flight': { type: 'string', default: '64' },
});
const [seconds, rounds, seed, inFlight] = [options.seconds, options.rounds, options.seed, options['in-flight']].map(Number) as [
  number,
  number,
  number,
  number,
];

async function install(rest: string, definition: string): Promise<void> {
  const answer = await fetch(`${rest}/v1/types`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ definition }),
  });
  if (!answer.ok) throw new Error(`the type was not installed: ${answer.status} ${await answer.text()}`);
}

const cells = emptyCells();
const progress = new Progress();
await withCluster(1, { CLARET_POLL_MICROSECONDS: '0' }, async ({ gateways: [gateway] }) => {
  const { grpc: address, pid, rest } = gateway!;
  for (const { definition } of TYPES) await install(rest, definition);
  const driver = new DriverProcess<Question, Span>(new URL('./types/driver.ts', import.meta.url), []);
  try {
    // The first round is not counted: compilers settle in it.
    for (let round = -1; round < rounds; round++) {
      for (const { subject, way, spans } of inTurn(cells, round)) {
        progress.show(`round ${round + 1} of ${rounds}: ${subject}, ${way}`, String(round));
        const cell = `${subject}:${way}:${round}`;
        const span = await driver.ask({ address, pid, subject, way, cell, seed, inFlight, seconds });
        if (round >= 0) spans.push(span);
      }
    }
  } finally {
    await driver.close();
  }
});
progress.end();

const rows = rowsOf(cells);
console.log(`${inFlight} in flight on one record; medians of ${rounds} rounds of ${seconds} s, seed ${seed}.\n`);
console.log(`${typesTable(rows)}\n\n${verdicts(rows).join('\n')}`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
