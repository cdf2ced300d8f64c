// `claret shards`: shows the slots and the state of each shard, and how far the standbys have followed them.

import type { Command } from 'commander';
import type { Context, SlotRun, TopologyAnswer } from '../context.ts';
import { NOTHING, bytes, count, counted } from '../format.ts';
import { EXIT, Problem } from '../problem.ts';
import { readAddress } from '../rest.ts';
import type { Run } from '../run.ts';
import { readiness, standbyOf, standbyTable, withLag } from '../standbys.ts';
import type { StandbyState } from '../standbys.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';

export function addShards(program: Command, run: Run): void {
  program
    .command('shards')
    .description('Show the shards of the cluster: addresses, slots, readiness, records, log; and its standbys')
    .addHelpText(
      'after',
      `
Asks the gateway of each shard for its readiness and metrics, and each standby
how far it has followed the shards. The exit code is 3 if a shard does not answer.

Examples:
  claret shards
  claret shards --json --gateway db1.example:7400`,
    )
    .action(run((context) => shards(context)));
}

/** The report of a shard's gateway. A figure is null if the gateway does not answer or has no such figure. */
interface ShardState {
  shard: number;
  rest_address: string;
  grpc_address: string;
  slots: SlotRun[];
  slot_count: number;
  /** `serving`, `starting`, `closing` as /readyz has it, or `no answer` */
  state: string;
  records: number | null;
  sessions: number | null;
  attempts_in_flight: number | null;
  waiting: number | null;
  in_doubt: number | null;
  /** entries of the log that a restart would replay */
  log_replay_bytes: number | null;
  log_written_bytes: number | null;
  checkpoint_age_s: number | null;
  log_full: boolean | null;
  /** the last durable entry of a replicated log */
  log_position: number | null;
}

const METRICS = {
  records: 'claret_records',
  sessions: 'claret_sessions',
  attempts_in_flight: 'claret_attempts_in_flight',
  waiting: 'claret_waiting',
  in_doubt: 'claret_in_doubt',
  log_replay_bytes: 'claret_log_replay_bytes',
  log_written_bytes: 'claret_log_written_bytes',
  checkpoint_age_s: 'claret_checkpoint_age_seconds',
} as const;

/** Reads a metric without labels, or with those given as `{name="value"}`, from Prometheus' text format. */
function metric(text: string, name: string, labels = ''): number | null {
  const found = new RegExp(`^${name}${labels} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

async function stateOf({ rest }: Context, { shard, address, rest_address, slots }: TopologyAnswer['shards'][number]): Promise<ShardState> {
  const at = readAddress(rest_address);
  const [{ state }, text] = await Promise.all([readiness(rest.gateway.timeoutMs, at), rest.getText('/metrics', at).catch(() => '')]);
  const figures = Object.fromEntries(Object.entries(METRICS).map(([member, name]) => [member, metric(text, name)])) as Record<
    keyof typeof METRICS,
    number | null
  >;
  const full = metric(text, 'claret_log_full');
  return {
    shard,
    rest_address,
    grpc_address: address,
    slots,
    slot_count: slots.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    state,
    ...figures,
    log_full: full === null ? null : full === 1,
    log_position: metric(text, 'claret_owner_position', `{shard="${shard}"}`),
  };
}

async function shards(context: Context): Promise<void> {
  const topology = await context.topology();
  const [states, standbys] = await Promise.all([
    Promise.all(topology.shards.map((shard) => stateOf(context, shard))),
    Promise.all(topology.standbys.map((standby) => standbyOf(context, standby))),
  ]);
  const followers = withLag(standbys, states);
  const { durability, cluster_name } = topology;
  if (context.isJson)
    context.printJson({ cluster_name, durability, topology_version: topology.version, shards: states, standbys: followers });
  else context.print(asText(context, topology, states, followers));
  const absent = states.filter(({ state }) => state === 'no answer');
  if (absent.length > 0) {
    throw new Problem(
      EXIT.unreachable,
      'shard_unavailable',
      `${counted(absent.length, 'shard')} of ${states.length} did not answer: ${absent.map(({ shard, rest_address }) => `shard ${shard} at ${rest_address}`).join(', ')}.`,
    );
  }
}

/** Narrower tables leave columns out, so that addresses fit in 80 columns. */
const WIDE_COLUMNS = 100;

const figure = (value: number | null): string => (value === null ? NOTHING : count(value));

function asText(
  { screen }: Context,
  { durability, cluster_name }: TopologyAnswer,
  states: readonly ShardState[],
  standbys: readonly StandbyState[],
): string {
  const { bold, dim, green, red, yellow } = screen.colours;
  const sizes = [counted(states.length, 'shard'), ...(standbys.length > 0 ? [counted(standbys.length, 'standby', 'standbys')] : [])];
  const head = `${bold(cluster_name)}  ${dim([...sizes, `durability ${durability}`].join(' · '))}`;
  const stateWords = ({ state, log_full }: ShardState) =>
    log_full === true ? red('disk full') : state === 'serving' ? green(state) : state === 'no answer' ? red(state) : yellow(state);
  const isWide = screen.columns >= WIDE_COLUMNS;
  const right = (header: string): Column => ({ header, align: 'right' });
  const address = (header: string): Column => ({ header, shrinks: true, cut: 'middle' });
  const columns = [
    right('shard'),
    address('REST'),
    address('gRPC'),
    right('slots'),
    ...(isWide ? [{ header: 'from-to', shrinks: true }] : []),
    { header: 'state' },
    right('records'),
    ...(isWide ? [right('sessions')] : []),
    right('log'),
  ];
  const rows = states.map((each) => [
    String(each.shard),
    each.rest_address,
    each.grpc_address,
    count(each.slot_count),
    ...(isWide ? [runWords(each.slots)] : []),
    stateWords(each),
    figure(each.records),
    ...(isWide ? [figure(each.sessions)] : []),
    each.log_replay_bytes === null ? NOTHING : bytes(each.log_replay_bytes),
  ]);
  const notes = states.flatMap(({ shard, in_doubt }) =>
    in_doubt !== null && in_doubt > 0
      ? [yellow(`shard ${shard}: ${counted(in_doubt, 'transaction')} in doubt, until other shards say how they ended`)]
      : [],
  );
  return [head, table(columns, rows, screen), ...standbyTable(screen, standbys), ...notes].join('\n');
}

/** "0-99, 8192-16383", whatever the versions of the runs. */
function runWords(runs: readonly SlotRun[]): string {
  const joined: SlotRun[] = [];
  for (const { first, last } of runs) {
    const before = joined.at(-1);
    if (before?.last === first - 1) before.last = last;
    else joined.push({ first, last });
  }
  return joined.length === 0 ? NOTHING : joined.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}
