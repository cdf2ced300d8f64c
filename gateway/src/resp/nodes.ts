// The nodes of the Redis cluster that clients see: one for each shard, whichever gateway owns it.
import { createHash } from 'node:crypto';
import type { RespNode } from '@claret/core';
import type { SlotRun } from '@claret/client';
import { splitAddress } from '../cluster.ts';
import type { ShardHost } from '../store/shard-host.ts';
import type { Topology } from '../topology.ts';
import type { DoorLinks } from './links.ts';

/** In shard order. A shard keeps its id for as long as the cluster keeps its name. */
export function nodesOf({ clusterName, members }: Pick<Topology, 'clusterName' | 'members'>): RespNode[] {
  return members.map(({ shard, grpc, resp, slots }) => ({
    id: idOf(clusterName, shard),
    ...(resp === undefined ? { host: splitAddress(grpc).host, port: 0 } : splitAddress(resp)),
    slots: joined(slots),
  }));
}

/** Tells the core and the links where the doors are, now and whenever that changes. Returns the end of it. */
export function tellNodes(
  topology: Topology,
  shard: number,
  host: Pick<ShardHost, 'setRespNodes'>,
  links: Pick<DoorLinks, 'keep'>,
): () => void {
  const tell = () => {
    const nodes = nodesOf(topology);
    host.setRespNodes(nodes, shard);
    links.keep(nodes);
  };
  tell();
  topology.changedListeners.add(tell);
  return () => void topology.changedListeners.delete(tell);
}

const idOf = (clusterName: string, shard: number): string => createHash('sha1').update(`${clusterName}/${shard}`).digest('hex');

/** Redis knows no versions of slots: runs that differ in these alone are one. */
function joined(runs: readonly SlotRun[]): RespNode['slots'] {
  const found: RespNode['slots'] = [];
  for (const { first, last } of runs) {
    const before = found.at(-1);
    if (before?.[1] === first - 1) before[1] = last;
    else found.push([first, last]);
  }
  return found;
}
