// The time without a shard when the gateway that owns it is killed: until the first transaction there commits again, as a client sees it.
//
// Two shards, one standby and three NATS servers, as processes on this machine, under steady load. In each round the owner of the next shard
// is killed by SIGKILL; it is started again, and is the standby of the next round. At the end the counters are compared with what was
// acknowledged; a mismatch ends the run with code 1.
//
// With --servers N, so many NATS servers are killed with the owner, or, with --spare-owner, alone (takeover/outage.ts).

import { writeFileSync } from 'node:fs';
import { connect } from '@claret/client';
import type { Cluster } from '../../scripts/cluster.js';
import { readFlags } from '../kit/arguments.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { Chance } from '../kit/random.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { Gateways, SHARDS } from './takeover/cluster.ts';
import { outageIn, outageTable, strike, type Outage } from './takeover/outage.ts';
import { figuresOf, momentsIn, sentence, stepTable, type TakeOver } from './takeover/report.ts';
import { SteadyLoad } from './takeover/steady-load.ts';

/** Load before a kill: connections and compilers settle. */
const STEADY_MS = 1_000;
const COMMITTED_WITHIN_MS = 60_000;

const options = readFlags({
  json: { type: 'string' },
  rounds: { type: 'string', default: '10' },
  'lease-ms': { type: 'string', default: '2000' },
  // transactions that begin in a second, on each shard
  rate: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  // NATS servers that are killed in each round
  servers: { type: 'string', default: '0' },
  // the owner is not killed with them
  'spare-owner': { type: 'boolean', default: false },
  // until what was killed is started again
  'away-ms': { type: 'string', default: '200' },
});
const chance = new Chance(Number(options.seed));
const { rounds, leaseMs, rate, servers, awayMs } = {
  rounds: Number(options.rounds),
  leaseMs: Number(options['lease-ms']),
  rate: Number(options.rate),
  servers: Number(options.servers),
  awayMs: Number(options['away-ms']),
};
const progress = new Progress();
process.exitCode = await run();

async function run(): Promise<number> {
  const { commit, dirty } = thisCommit();
  const machine = thisMachine();
  console.log(
    `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}`,
  );
  console.log(`${SHARDS} shards, 1 standby, lease ${leaseMs} ms, ${rate} transactions a second on each shard, ${rounds} kills\n`);
  progress.show('starting');
  const takeOvers: TakeOver[] = [];
  const outages: Outage[] = [];
  let wrong: string[] = [];
  const gateways = new Gateways(awayMs);
  const work = async (cluster: Cluster) => {
    await gateways.owners(cluster);
    const claret = await connect({ addresses: cluster.gateways.map(({ grpc }) => grpc), name: 'takeover' });
    try {
      const load = new SteadyLoad(claret, SHARDS, rate);
      for (let round = 0; round < rounds; round++) {
        progress.show(`kill ${round + 1} of ${rounds}`);
        if (servers > 0) outages.push(await outage(cluster, gateways, load, round));
        else takeOvers.push(await takeOver(cluster, gateways, load, round % SHARDS));
      }
      wrong = await load.end();
    } finally {
      await claret.close(0);
    }
  };
  await withCluster(SHARDS, { CLARET_OWNER_LEASE_MS: String(leaseMs) }, work, gateways.options);
  progress.end();
  for (const one of wrong) console.error(one);
  if (wrong.length > 0) return 1;
  if (servers > 0) {
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outages, null, 2)}\n`);
    console.log(outageTable(outages));
    return 0;
  }
  const figures = figuresOf(takeOvers);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`${stepTable(takeOvers)}\n\n${sentence(figures, leaseMs)}`);
  return 0;
}

async function takeOver(cluster: Cluster, gateways: Gateways, load: SteadyLoad, shard: number): Promise<TakeOver> {
  await gateways.owners(cluster);
  // Kills fall at any moment between two renewals of the lease.
  await pause(STEADY_MS + chance.between(0, leaseMs / 3));
  const owners = await gateways.owners(cluster);
  const killed = Date.now();
  process.kill(owners[shard]!.pid, 'SIGKILL');
  const committed = await inTime(load.nextCommit(shard), shard);
  await gateways.owners(cluster);
  return { killed, committed, ...momentsIn(gateways.linesSince(killed), shard) };
}

async function outage(cluster: Cluster, gateways: Gateways, load: SteadyLoad, round: number): Promise<Outage> {
  await gateways.owners(cluster);
  await pause(STEADY_MS + chance.between(0, leaseMs / 3));
  const owners = await gateways.owners(cluster);
  const ownerless = options['spare-owner'] ? undefined : round % SHARDS;
  const struck = Array.from({ length: servers }, (_, n) => (round + n) % cluster.natsServers.length);
  const killed = strike(cluster, struck, ownerless === undefined ? undefined : owners[ownerless]!.pid);
  const committed = await Promise.all(owners.map((_, shard) => inTime(load.nextCommit(shard), shard)));
  return outageIn(gateways, killed, servers, committed, ownerless);
}

function inTime(committed: Promise<number>, shard: number): Promise<number> {
  const late = new Promise<never>((_resolve, reject) => {
    const give = () => reject(new Error(`shard ${shard} gives no answer within ${COMMITTED_WITHIN_MS / 1_000} s`));
    setTimeout(give, COMMITTED_WITHIN_MS).unref();
  });
  return Promise.race([committed, late]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
