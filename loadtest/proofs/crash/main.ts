// npm run crash: real gateways, app servers and drivers, killed at random moments, round after round; after each round, every
// acknowledged transaction is still there. USAGE lists the arguments. The last line is a summary; exit code 1 unless nothing was
// lost, 2 for wrong arguments.

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Chance } from '../../kit/random.ts';
import { runCommand, WrongUse } from '../../kit/wrong-use.ts';
import { CLIENT_MISTAKES } from '../mistakes/client-mistakes.ts';
import { WARRANTIES, type Warranties } from './conditions.ts';
import { DISKS, type Disk } from './disk.ts';
import { SABOTAGES } from './sabotage.ts';
import { traceTo } from './trace.ts';
import { whyNoMachines } from './machines.ts';
import { Run, WORKLOADS, type Replication, type RunReport } from './run.ts';

const ROUNDS = 10;
/** With --minutes: what a run keeps of its history must fit into memory, and a fresh cluster has other settings. */
const ROUNDS_OF_A_RUN = 12;
const ROUNDS_MAX = 10_000;
const SHOWN_MAX = 5;
const SHOWN_CHARACTERS_MAX = 3_000;
const DURABILITIES = ['sync', 'async', 'none'];
const STANDBYS = 1;
const STANDBYS_MAX = 8;
const MINUTES_MAX = 24 * 60;
const MINUTE_MS = 60_000;

const USAGE = `npm run crash -- --rounds N --seed S    N rounds (${ROUNDS}) of that seed (one by chance)
  --minutes N         runs of N rounds (${ROUNDS_OF_A_RUN}), each on a fresh cluster and with a seed of its own, until that time is over
  --workload NAME     instead of all: ${Object.keys(WORKLOADS).join(', ')}
  --durability NAME   instead of sync: async or none, which lose what was acknowledged
  --disk NAME         instead of volatile, which loses with a gateway what it has not synced: plain, which keeps it; lying, which only says
                      that it has synced
  --log jetstream     a replicated log on three NATS servers, in place of a log on each gateway's disk: gateways and servers are killed and
                      frozen, and shards taken over
  --standbys N        with it, so many gateways without a shard (${STANDBYS})
  --machines          with it, each NATS server and gateway on one of three network namespaces, which are cut off now and then. Needs root
  --clocks            the gateways' wall clocks jump by up to an hour every moment, also while they are dead, and slots move
  --warranties NAME   the condition of all rounds, instead of one drawn for each: ${WARRANTIES.join(', ')}
  --sabotage NAME     a mistake put into the gateways, to see that it is found: ${Object.keys(SABOTAGES).join(', ')}
  --mistake NAME      a mistake of the client put into the drivers, such as lease-too-long (loadtest/proofs/mistakes)
  --history FILE      all that the clients saw, one JSON line for each attempt (docs/history.md)
  --trace FILE        what the processes say and what happens to them, with the times

Examples:
  npm run crash -- --rounds 3
  npm run crash -- --rounds 200 --log jetstream
  npm run crash -- --clocks --minutes 60
  npm run crash -- --rounds 25 --workload rawmix --sabotage told-before-synced
  npm run crash -- --rounds 25 --workload warranted --warranties auto --mistake lease-too-long`;

function wholeNumber(text: string | undefined, flag: string, most: number, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text) || Number(text) > most) throw new WrongUse(`--${flag} takes a whole number up to ${most}, not "${text}"`);
  return Number(text);
}

function oneOf(text: string | undefined, flag: string, names: readonly string[]): string | undefined {
  if (text === undefined || names.includes(text)) return text;
  throw new WrongUse(`--${flag} takes one of ${names.join(', ')}; not "${text}"`);
}

interface ReplicationFlags {
  log?: string | undefined;
  standbys?: string | undefined;
  machines: boolean;
  durability?: string | undefined;
  disk?: string | undefined;
}

/** Undefined: the gateways have logs of their own. */
function replicationOf({ log, standbys, machines, durability, disk }: ReplicationFlags): Replication | undefined {
  if (oneOf(log, 'log', ['local', 'jetstream']) !== 'jetstream') {
    if (standbys !== undefined || machines) throw new WrongUse('--standbys and --machines go with --log jetstream');
    return undefined;
  }
  if (disk !== undefined || (durability ?? 'sync') !== 'sync')
    throw new WrongUse('with --log jetstream there is durability sync alone, and no choice of disks');
  return { standbys: wholeNumber(standbys, 'standbys', STANDBYS_MAX, STANDBYS), onMachines: machines };
}

function summary(reports: readonly RunReport[]): string {
  const sum = (figure: (report: RunReport) => number) => reports.reduce((all, report) => all + figure(report), 0);
  const [rounds, kills] = [sum((report) => report.rounds), sum((report) => report.kills)];
  const [acknowledged, checked] = [sum((report) => report.acknowledged), sum((report) => report.checked)];
  return `rounds=${rounds} kills=${kills} acknowledged=${acknowledged} checked=${checked} lost=${sum(({ wrong }) => wrong.length)}`;
}

function print(report: RunReport): void {
  for (const what of report.wrong.slice(0, SHOWN_MAX)) console.log(`\n${what.slice(0, SHOWN_CHARACTERS_MAX)}`);
  if (report.wrong.length > SHOWN_MAX) console.log(`\nand ${report.wrong.length - SHOWN_MAX} more`);
  if (report.undecided > 0)
    console.log(`of ${report.undecided} attempts nobody could tell how they ended: what they touched was not checked any more`);
  const { sent, again, replayed } = report.withIds;
  console.log(
    `transactions with ids: ${sent}; sent again for want of an answer: ${again} times; sent again once answered: ${replayed} times, and answered the same`,
  );
  const { natives, crowds, fromMemory, epochs, clocks } = report;
  console.log(
    `natives: ${natives.acknowledged} acknowledged and ${natives.checked} of them checked; without an answer: ${natives.unknown}`,
  );
  console.log(
    `crowds: ${crowds.acknowledged} acknowledged and ${crowds.checked} of them checked; without an answer: ${crowds.unknown}; ${crowds.batchMembers} members in ${crowds.batches} batches`,
  );
  console.log(
    `warranties: ${fromMemory.answers} of ${fromMemory.results} results came from memory; committed without a message: ${fromMemory.commits}`,
  );
  console.log(
    `epochs: ${epochs.commits} lists committed as members, ${epochs.missed} times no epoch took one; at rest the shards had counted ${epochs.members} members, and ${epochs.calledOff} epochs called off; blows to the manager's gateway: ${epochs.struck}`,
  );
  console.log(`installed types: ${report.typeChanges} changes, confirmed by all shards`);
  console.log(`backups: ${report.backups.restored} restored and checked, ${report.backups.broken} broken off and refused`);
  if (clocks !== null)
    console.log(
      `clocks: set ${clocks.jumps} times; refused attempts: ${clocks.refused}; reads of the past: ${clocks.pastReads}; snapshots: ${clocks.snapshots}; slots moved ${clocks.moves} times at least`,
    );
  for (const line of report.takeOvers?.report() ?? []) console.log(line);
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      rounds: text,
      minutes: text,
      seed: text,
      workload: text,
      durability: text,
      disk: text,
      log: text,
      standbys: text,
      machines: { type: 'boolean', default: false },
      clocks: { type: 'boolean', default: false },
      warranties: text,
      sabotage: text,
      mistake: text,
      history: text,
      trace: text,
    },
  });
  if (values.trace !== undefined) traceTo(values.trace);
  const replication = replicationOf(values);
  const { clocks } = values;
  const minutes = wholeNumber(values.minutes, 'minutes', MINUTES_MAX, 0);
  const untilMs = minutes === 0 ? undefined : performance.now() + minutes * MINUTE_MS;
  const rounds = wholeNumber(values.rounds, 'rounds', ROUNDS_MAX, minutes === 0 ? ROUNDS : ROUNDS_OF_A_RUN);
  const seed = wholeNumber(values.seed, 'seed', 2 ** 32 - 1, randomInt(2 ** 32));
  const workload = oneOf(values.workload, 'workload', Object.keys(WORKLOADS));
  const durability = oneOf(values.durability, 'durability', DURABILITIES) ?? 'sync';
  const disk = (oneOf(values.disk, 'disk', Object.keys(DISKS)) ?? 'volatile') as Disk;
  const warranties = oneOf(values.warranties, 'warranties', WARRANTIES) as Warranties | undefined;
  const sabotage = oneOf(values.sabotage, 'sabotage', Object.keys(SABOTAGES));
  const mistakes = CLIENT_MISTAKES.map(({ name }) => name);
  const mistake = oneOf(values.mistake, 'mistake', mistakes);
  const missing = replication?.onMachines === true ? whyNoMachines() : null;
  if (missing !== null) {
    console.log(`skipped: there are no machines without root and network namespaces (${missing})`);
    return 0;
  }
  const say = (line: string) => console.log(line);
  const { history } = values;
  const common = { rounds, untilMs, workload, warranties, durability, disk, clocks, replication, sabotage, mistake, history, say };
  let run: Run | null = null;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => void (run?.end() ?? Promise.resolve()).finally(() => process.exit(code)));
  }
  const reports: RunReport[] = [];
  const seeds = new Chance(seed);
  for (let next = seed; ; next = seeds.below(2 ** 32)) {
    console.log(`seed ${next}`);
    run = new Run({ ...common, seed: next });
    try {
      const report = await run.run();
      reports.push(report);
      print(report);
    } finally {
      await run.end();
    }
    if (reports.at(-1)!.wrong.length > 0 || performance.now() >= (untilMs ?? 0)) break;
  }
  console.log(summary(reports));
  return reports.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
}

await runCommand(USAGE, main);
