// The paper's comparison: throughput and latency of rawmix, rubis and retwis under each condition, side by side.
//
// Gateway processes and one driver process, or several, over loopback; conditions take turns, round after round. Each cell's figures are
// appended to raw.jsonl in the results folder at once, so that an interrupted run can be resumed. After each cell the stored data
// is compared with the acknowledged transactions; an inadmissible mismatch ends the run with code 1.

import { thisCommit, thisMachine } from '../kit/machine.ts';
import { gatewayEnv, measure } from './paper/measure.ts';
import { Mismatch } from './paper/mismatch.ts';
import { Pace } from './paper/pace.ts';
import { cellsIn, planOf, type Block } from './paper/plan.ts';
import { duration, Progress } from '../kit/progress.ts';
import { RawFile, type Row, type RunRow } from './paper/raw.ts';
import { report } from './paper/report.ts';
import { doneIn, whyNot } from './paper/resume.ts';
import { readSettings, type Settings } from './paper/settings.ts';
import { tracePlan, traceSeconds } from './paper/trace-plan.ts';
import { measureTrace, type TraceOptions } from './paper/trace.ts';
import { withCluster } from '../kit/with-cluster.ts';

/** A longer span gives no more information. */
const SPAN_LONGEST = { quick: 1, full: 2 };

const settings = readSettings();
const progress = new Progress();
process.exitCode = await run(settings);

async function run({ folder, json, fresh, seed, noted, shards }: Settings): Promise<number> {
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
  const trace = tracePlan(settings, raw.read());
  sayPlan(runRow, blocks, trace, done.size);
  if (blocks.length > 0 || trace !== null) {
    raw.append(runRow);
    try {
      const keep = (row: Row) => raw.append(row);
      await measure(blocks, { settings, pace: paceFor(blocks, trace), progress, keep });
      if (trace !== null)
        await withCluster(shards, gatewayEnv(settings), (cluster) => measureTrace(cluster, trace, keep, (text) => progress.show(text)));
      progress.end();
    } catch (error) {
      progress.end();
      if (error instanceof Mismatch) console.error(`\n${error.message}`);
      else console.error(error, '\nThe same command goes on where this run has ended.');
      return 1;
    }
  }
  for (const path of await report(folder, raw.read(), json)) console.log(path);
  return 0;
}

/** A resumed run gets a proportional share of the time. */
function paceFor(blocks: readonly Block[], trace: TraceOptions | null): Pace {
  const { seconds, minutes, quick } = settings;
  const share = cellsIn(blocks) / cellsIn(planOf(settings, new Set()));
  const deadline = performance.now() / 1000 + 60 * minutes * share - traceSeconds(trace);
  return new Pace(deadline, seconds === null ? { longest: quick ? SPAN_LONGEST.quick : SPAN_LONGEST.full } : { fixed: seconds });
}

function sayPlan({ commit, dirty, machine, options }: RunRow, blocks: readonly Block[], trace: TraceOptions | null, done: number): void {
  const { points, sendings, clients, conditions, rounds, shards, drivers, poll, seed, folder } = settings;
  const cells = cellsIn(blocks);
  const left = paceFor(blocks, trace).left(performance.now() / 1000, { cells, blocks: blocks.length }) + traceSeconds(trace);
  console.log(
    [
      `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}`,
      `durability ${options.durability}; shards ${shards}, ${drivers === 1 ? 'one driver; both' : `${drivers} drivers; all`} poll for ${poll} µs after a frame; seed ${seed}`,
      `${points.length} points x ${sendings.join(' and ')} x ${clients.join(', ')} clients x ${conditions.length} conditions x ${rounds} rounds`,
      `${cells.toLocaleString('en')} cells to measure${done > 0 ? `, ${done.toLocaleString('en')} are there` : ''}, in ${blocks.length} blocks, each on an empty cluster; ${trace?.conditions.length ?? 0} traces; about ${duration(left)}`,
      `results in ${folder}`,
    ].join('\n'),
  );
}
