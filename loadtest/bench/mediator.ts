// Natives beside transactions: the comfort zone of the Mediator paper, by the share of natives, and the latency of single operations.
//
// Natives and interactive transactions run on the same records in three ways: as they are, with each native as a transaction of one
// operation, and everything as natives without locks (the bound). Gateways and one driver process over loopback. Each cell's figures
// are appended to raw.jsonl in the results folder at once. After each cell the counters are compared with the acknowledged adds; a
// difference ends the run with code 1.

import { thisCommit, thisMachine } from '../kit/machine.ts';
import { duration, Progress } from '../kit/progress.ts';
import { latencySeconds, measure, measureLatencies } from './mediator/measure.ts';
import { cellsIn, planOf } from './mediator/plan.ts';
import type { Row, RunRow } from './mediator/raw.ts';
import { report } from './mediator/report.ts';
import { readSettings, type Settings } from './mediator/settings.ts';
import { Mismatch } from './paper/mismatch.ts';
import { Pace } from './paper/pace.ts';
import { RawFile } from './paper/raw.ts';

/** A longer span gives no more information. */
const SPAN_LONGEST = 1;

process.exitCode = await run(readSettings());

async function run(settings: Settings): Promise<number> {
  const { folder, seed, noted, minutes, seconds } = settings;
  const raw = new RawFile<Row>(folder);
  if (raw.peek().length > 0) {
    console.error(`${folder} holds a run already: --out FOLDER begins another`);
    return 2;
  }
  const row: RunRow = {
    kind: 'run',
    benchmark: 'mediator',
    ...thisCommit(),
    machine: thisMachine(),
    begun_at: new Date().toISOString(),
    seed,
    options: noted,
  };
  const blocks = planOf(settings);
  const deadline = performance.now() / 1000 + 60 * minutes - latencySeconds(settings);
  const pace = new Pace(deadline, seconds === null ? { longest: SPAN_LONGEST } : { fixed: seconds });
  const left = pace.left(performance.now() / 1000, { cells: cellsIn(blocks), blocks: blocks.length });
  console.log(
    `Claret ${row.commit.slice(0, 12)}${row.dirty ? ' with uncommitted changes' : ''}; ${row.machine.cpu}, ${row.machine.cores} cores; seed ${seed}\n` +
      `${cellsIn(blocks).toLocaleString('en')} cells in ${blocks.length} blocks, each on an empty cluster; about ${duration(left + latencySeconds(settings))}; results in ${folder}`,
  );
  raw.append(row);
  const progress = new Progress();
  const dependencies = { settings, pace, progress, keep: (measured: Row) => raw.append(measured) };
  try {
    await measure(blocks, dependencies);
    await measureLatencies(dependencies);
    progress.end();
  } catch (error) {
    progress.end();
    console.error(error instanceof Mismatch ? `\n${error.message}` : error);
    return 1;
  }
  for (const path of await report(folder, raw.peek())) console.log(path);
  return 0;
}
