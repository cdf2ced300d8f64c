// Faults of gateways with a replicated log, of the servers that have the logs, and of the ways between them.
import type { Chance } from '../../../kit/random.ts';
import type { Fault, Target } from '../fault.ts';
import { ReplicatedCluster } from './replicated-cluster.ts';
import type { SimulatedGateway } from './simulated-gateway.ts';

const DOWN_MS = [1, 50, 500];
/** Well within the lease, about as long, or far beyond it: multiples of the lease. */
const LEASES = [0.5, 1.3, 3];
const PAST_MS = [5, 50, 300];
const ELECTION_MS: readonly [number, number] = [50, 1_500];

const downMs = (chance: Chance): number => chance.between(0.1, 1) * chance.pick(DOWN_MS);

type ClusterFault = (cluster: ReplicatedCluster, chance: Chance, target: Target) => void;

const ofCluster =
  (fault: ClusterFault): Fault =>
  (target, chance) => {
    if (target.cluster instanceof ReplicatedCluster) fault(target.cluster, chance, target);
  };

/** A fault of one owner, if there is one at present. */
const ofOwner = (fault: (owner: SimulatedGateway, cluster: ReplicatedCluster, chance: Chance, target: Target) => void): Fault =>
  ofCluster((cluster, chance, target) => {
    const { owners } = cluster;
    if (owners.length > 0) fault(chance.pick(owners), cluster, chance, target);
  });

const forMs = ({ leaseMs }: ReplicatedCluster, chance: Chance): number => chance.between(0.5, 1) * chance.pick(LEASES) * leaseMs;

export const TAKE_OVER_FAULTS = {
  killOwner: ofOwner((owner, _cluster, chance) => owner.crashAndStart(downMs(chance))),
  /** What has come to its sockets meanwhile is read when it thaws. */
  freezeOwner: ofOwner((owner, cluster, chance) => owner.node.stall(forMs(cluster, chance))),
  /** From the servers, not from clients. What it has sent is lost, or arrives when it reaches them again, also if it has died meanwhile. */
  cutOffOwner: ofOwner(({ node, serving }, cluster, chance, { world }) => {
    const { servers } = cluster;
    servers.cutOff(node, chance.happens(0.7));
    if (chance.happens(0.6)) cluster.onNextStart(serving!.shard, () => servers.rejoin(node));
    world.after(forMs(cluster, chance), () => servers.rejoin(node));
  }),
  /** From clients and other gateways, not from the servers. */
  hideOwner: ofOwner((owner, cluster, chance, { network, appServers }) => {
    const ms = forMs(cluster, chance);
    const others = [...appServers.map(({ node }) => node.name), ...cluster.addresses].filter((name) => name !== owner.address);
    for (const name of others) {
      network.partition(owner.address, name, ms);
      if (chance.happens(0.5)) network.breakBetween(name, owner.address);
    }
  }),
  stopOwner: ofOwner((owner, _cluster, chance) => void owner.stop(downMs(chance))),
  killGateways: ofCluster(({ gateways }, chance) => {
    for (const gateway of gateways) gateway.crashAndStart(downMs(chance));
  }),
  killStandby: ofCluster(({ standbys }, chance) => {
    if (standbys.length > 0) chance.pick(standbys).crashAndStart(downMs(chance));
  }),
  freezeStandby: ofCluster((cluster, chance) => {
    if (cluster.standbys.length > 0) chance.pick(cluster.standbys).node.stall(forMs(cluster, chance));
  }),
  /** The servers deliver nothing to a standby. */
  neglectStandby: ofCluster((cluster, chance, { world }) => {
    const { servers, standbys } = cluster;
    if (standbys.length === 0) return;
    const { node } = chance.pick(standbys);
    servers.neglect(node);
    world.after(forMs(cluster, chance), () => servers.attend(node));
  }),
  loseQuorum: ofCluster((cluster, chance, { world }) => {
    cluster.servers.loseQuorum();
    world.after(forMs(cluster, chance), () => cluster.servers.findQuorum());
  }),
  /** The logs have a quorum of their own, and owners keep their leases. One of them may die before it has logged anything again. */
  loseQuorumOfLogs: ofCluster((cluster, chance, { world }) => {
    const { servers, streams } = cluster;
    servers.loseQuorum([streams]);
    world.after(chance.between(...ELECTION_MS), () => {
      const { owners } = cluster;
      if (owners.length > 0 && chance.happens(0.5)) chance.pick(owners).crashAndStart(downMs(chance));
      servers.findQuorum();
    });
  }),
  loseServers: ofCluster((cluster, chance, { world }) => {
    cluster.servers.isAway = true;
    world.after(forMs(cluster, chance), () => void (cluster.servers.isAway = false));
  }),
  changeLeader: ofCluster(({ servers }, chance) => servers.changeLeader(chance.between(0.1, 1) * chance.pick(PAST_MS))),
} satisfies Record<string, Fault>;
