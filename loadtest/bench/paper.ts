// The paper's comparison: throughput and latency of rawmix, rubis and retwis under each condition, side by side.
//
// Gateway processes and one driver process over loopback; conditions take turns, round after round. Each cell's figures go to
// raw.jsonl in the results folder as soon as they are there, so that a run that was cut off goes on where it was. After each
// cell what is stored is held against what was acknowledged; what must not differ and does ends the run with code 1.

import { thisCommit, thisMachine } from '../paper/machine.ts';
import { measure } from '../paper/measure.ts';
import { Mismatch } from '../paper/mismatch.ts';
import { Pace } from '../paper/pace.ts';
import { cellsIn, planOf } from '../paper/plan.ts';
import { duration, Progress } from '../paper/progress.ts';
import { RawFile, type RunRow } from '../paper/raw.ts';
import { report } from '../paper/report.ts';
import { doneIn, whyNot } from '../paper/resume.ts';
import { readSettings, type Settings } from '../paper/settings.ts';

/** A span that is longer tells nothing more. */
const SPAN_LONGEST = { quick: 1, full: 2 };

const settings = readSettings();
const progress = new Progress();
process.exitCode = await run(settings);

async function run({ folder, json, fresh, seed, noted }: Settings): Promise<number> {
  const raw = new RawFile(folder);
  if (fresh) raw.clear();
  const runRow: RunRow = { kind: 'run', ...thisCommit(), machine: thisMachine(), begun_at: new Date().toISOString(), seed, options: noted };
  const reason = whyNot(raw.read(), runRow);
  if (reason !== null) {
    console.error(`${folder} holds a run that cannot go on: ${reason}.\n--fresh begins it anew, --out FOLDER begins another.`);
    return 2;
  }
  const done = doneIn(raw.read());
  const blocks = planOf(settings, done);
  sayPlan(runRow, cellsIn(blocks), done.size);
  if (blocks.length > 0) {
    raw.append(runRow);
    try {
      await measure(blocks, { settings, pace: paceFor(cellsIn(blocks)), progress, keep: (row) => raw.append(row) });
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      progress.end();
      console.error(`\n${error.message}`);
      return 1;
    } finally {
      progress.end();
    }
  }
  for (const path of await report(folder, raw.read(), json)) console.log(path);
  return 0;
}

/** A run that goes on has its share of the time. */
function paceFor(cells: number): Pace {
  const { seconds, minutes, quick } = settings;
  const share = cells / Math.max(1, cellsIn(planOf(settings, new Set())));
  const deadline = performance.now() / 1000 + 60 * minutes * share;
  return new Pace(deadline, seconds === null ? { longest: quick ? SPAN_LONGEST.quick : SPAN_LONGEST.full } : { fixed: seconds });
}

function sayPlan({ commit, dirty, machine, options }: RunRow, cells: number, done: number): void {
  const { points, sendings, clients, conditions, rounds, shards, poll, seed, folder } = settings;
  const blocks = planOf(settings, new Set()).length;
  console.log([
    `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}`,
    `durability ${options.durability}; shards ${shards}, one driver; both poll for ${poll} µs after a frame; seed ${seed}`,
    `${points.length} points x ${sendings.join(' and ')} x ${clients.join(', ')} clients x ${conditions.length} conditions x ${rounds} rounds; ${blocks} blocks, each on an empty cluster`,
    `${cells.toLocaleString('en')} cells to measure${done > 0 ? `, ${done.toLocaleString('en')} are there` : ''}, in about ${timeOf(cells, blocks)}`,
    `results in ${folder}`,
  ].join('\n'));
}

function timeOf(cells: number, blocks: number): string {
  return duration(paceFor(cells).left(performance.now() / 1000, { cells, blocks: cells === 0 ? 0 : blocks }));
}
