// Lists of blind writes and of reads, as ALOHA-KV runs them: in epochs, by locks, without transactions.
//
// Registers of 8 bytes, uniformly drawn from --keys, on gateway processes over loopback, and a driver process that keeps --in-flight lists in flight.
// Cells take turns, round after round. A figure is the median of the rounds, a ratio the median of the ratios within them. At the end of each cell
// what is stored is compared with what was acknowledged: each record holds the write with the greatest commit timestamp.
//
//   size        lists of --size operations, half of them reads
//   share       from no reads to nothing but reads, lists of 1,000
//   contention  each list of 10 has one of 100,000 to one hot record
//   straggler   a gateway stands still, or the manager's is killed: times without a commit
//   switch      one list by itself, over 1 to 64 shards in this process
//   durability  lists of 1,000 in epochs on gateways that keep nothing, or a log
//   beside      interactive transactions beside lists
//   history     what it costs to keep the past

import { writeFileSync } from 'node:fs';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { measureBeside } from './aloha/beside.ts';
import { measureDurability } from './aloha/durability.ts';
import { report } from './aloha/figures.ts';
import { measureHistory } from './aloha/history.ts';
import { partTable } from './aloha/report.ts';
import type { Part, RawRow, Row } from './aloha/row.ts';
import { readSettings } from './aloha/settings.ts';
import { measureStraggler } from './aloha/straggler.ts';
import { measureSwitch } from './aloha/switch.ts';
import { targetsOf } from './aloha/targets.ts';
import { isThroughput, measureThroughput } from './aloha/throughput.ts';
import { RawFile } from './paper/raw.ts';

const settings = readSettings();
const progress = new Progress();

function measure(part: Part): Promise<Row[]> {
  if (isThroughput(part)) return measureThroughput(part, settings, progress);
  return {
    straggler: measureStraggler,
    switch: measureSwitch,
    durability: measureDurability,
    beside: measureBeside,
    history: measureHistory,
  }[part](settings, progress);
}

const { commit, dirty } = thisCommit();
const machine = thisMachine();
const raw = settings.out === undefined ? null : new RawFile<RawRow>(settings.out);
if (raw !== null && raw.peek().length > 0) {
  console.error(`${settings.out} holds a run already: --out FOLDER begins another`);
  process.exit(2);
}
const { rounds, seconds, seed, noted } = settings;
raw?.append({ kind: 'run', benchmark: 'aloha', commit, dirty, machine, begun_at: new Date().toISOString(), seed, options: noted });
console.log(
  `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}\n` +
    `medians of ${rounds} rounds of ${seconds} s; seed ${seed}`,
);
const rows: Row[] = [];
for (const part of settings.parts) {
  const measured = await measure(part);
  progress.end();
  rows.push(...measured);
  for (const row of measured) raw?.append({ kind: 'figures', ...row });
  console.log(`\n${part}\n\n${partTable(part, measured)}`);
}
console.log(`\n${targetsOf(rows).join('\n')}`);
if (settings.json !== undefined) writeFileSync(settings.json, `${JSON.stringify(rows, null, 2)}\n`);
if (raw !== null) for (const path of await report(settings.out!, raw.peek())) console.log(path);
