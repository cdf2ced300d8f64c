// The Redis door beside redis-server: redis-benchmark with 50 clients, without a log and with every change on disk before its reply.
//
// For each command and length of pipelines, redis-benchmark runs against one and then against the other, round after round, so that other work on
// the machine affects both alike. One gateway (`sync`), one redis-server (`appendfsync always`), over loopback; the default keys of
// redis-benchmark, so every command is on the same record.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { HOW_TO_INSTALL, redisVersion, withRedis } from '../kit/redis-server.ts';
import { COMMANDS, rowsOf, tableOf, verdictsOf, type Command, type Durability, type Round } from './redis/report.ts';

const CLIENTS = 50;
/** Requests of one round, by pipeline and durability: each takes about a second. */
const REQUESTS: Record<Durability, (pipeline: number) => number> = {
  none: (pipeline) => (pipeline === 1 ? 60_000 : 600_000),
  kept: (pipeline) => (pipeline === 1 ? 15_000 : 200_000),
};

const options = readFlags(
  {
    json: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    pipeline: { type: 'string', multiple: true, default: ['1', '16', '64'] },
    command: { type: 'string', multiple: true, default: [...COMMANDS] },
    durability: { type: 'string', multiple: true, default: ['none', 'kept'] },
  },
  { command: COMMANDS, durability: ['none', 'kept'] },
);
const rounds: Round[] = [];
const progress = new Progress();
const version = redisVersion();
if (version === null) {
  console.error(HOW_TO_INSTALL);
  process.exitCode = 2;
} else {
  for (const durability of options.durability as Durability[]) await measure(durability);
  progress.end();
  const rows = rowsOf(rounds);
  console.log(`redis-server ${version}, ${CLIENTS} clients; medians of ${options.rounds} rounds\n`);
  console.log(`${tableOf(rows)}\n\n${verdictsOf(rows).join('\n')}`);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ run: { ...thisCommit(), machine: thisMachine(), redis: version }, rows }, null, 2)}\n`);
  }
}

function measure(durability: Durability): Promise<void> {
  const more = durability === 'kept' ? ({ redis: true, durability: 'sync' } as const) : { redis: true };
  const work = (door: number, redis: number) => {
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const pipeline of options.pipeline.map(Number)) {
        for (const command of options.command as Command[]) {
          progress.show(`durability ${durability}, round ${round + 1}, pipeline ${pipeline}: ${command}`);
          const requests = REQUESTS[durability](pipeline);
          const speedAt = (port: number) => commandsPerSecond({ port, requests, pipeline, command });
          // Neither is always the first.
          const [first, second] = round % 2 === 0 ? [redis, door] : [door, redis];
          const speeds = { [first]: speedAt(first), [second]: speedAt(second) };
          rounds.push({ durability, pipeline, command, door: speeds[door]!, redis: speeds[redis]! });
        }
      }
    }
  };
  return withCluster(
    1,
    {},
    ({ gateways }) =>
      withRedis(async ({ port }) => work(Number(gateways[0]!.resp!.split(':').at(-1)), port), durability === 'kept' ? 'always' : 'none'),
    more,
  );
}

interface Request {
  port: number;
  requests: number;
  pipeline: number;
  command: Command;
}

/** Throws if redis-benchmark ends with an error. */
function commandsPerSecond({ port, requests, pipeline, command }: Request): number {
  const flags = ['-p', port, '-c', CLIENTS, '-n', requests, '-P', pipeline, '-t', command, '--csv'].map(String);
  const { stdout, stderr, status } = spawnSync('redis-benchmark', flags, { encoding: 'utf8' });
  const speed = Number(/^"[A-Z]+","([\d.]+)"/m.exec(stdout)?.[1]);
  if (status !== 0 || !(speed > 0)) throw new Error(`redis-benchmark ${flags.join(' ')} failed:\n${stdout}${stderr}`);
  return speed;
}
