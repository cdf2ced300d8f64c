// The shards of the cluster: the addresses of each gateway and the slots that its shard owns.
import { dealtRun } from '@claret/client';
import type { SlotRun } from '@claret/client';

export interface GatewayAddresses {
  /** host:port */
  grpc: string;
  rest: string;
}

export interface ClusterMember extends GatewayAddresses {
  shard: number;
  /** in order */
  slots: readonly SlotRun[];
}

const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/;

/**
 * Parses "GRPC/REST,GRPC/REST,…". `dealt`: the number of the first shards among which the slots are dealt at first, 0 for all. Throws an Error that says what is wrong. */
export function parseCluster(text: string, dealt = 0): ClusterMember[] {
  const pairs = text.split(',').map(parsePair);
  const dealtAmong = dealt === 0 ? pairs.length : dealt;
  if (dealtAmong > pairs.length) throw new Error(`slots cannot be dealt among ${dealtAmong} shards of ${pairs.length}`);
  const seen = new Set<string>();
  return pairs.map(({ grpc, rest }, shard) => {
    for (const address of [grpc, rest]) {
      if (seen.has(address)) throw new Error(`'${address}' is used twice`);
      seen.add(address);
    }
    return { shard, grpc, rest, slots: shard < dealtAmong ? [dealtRun(shard, dealtAmong)] : [] };
  });
}

/** Parses "GRPC/REST". Throws an Error that says what is wrong. */
export function parseStandby(text: string): GatewayAddresses {
  const pair = parsePair(text);
  if (pair.grpc === pair.rest) throw new Error(`'${pair.grpc}' is used twice`);
  return pair;
}

function parsePair(text: string): GatewayAddresses {
  const pair = text.trim().split('/');
  const [grpc, rest] = pair;
  if (pair.length !== 2 || !grpc || !rest) throw new Error(`'${text.trim()}' is not a pair GRPC/REST of host:port`);
  for (const address of pair) splitAddress(address);
  return { grpc, rest };
}

/** Throws if `address` is not host:port. */
export function splitAddress(address: string): { host: string; port: number } {
  const match = ADDRESS.exec(address);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) throw new Error(`'${address}' is not host:port`);
  return { host: match[1]!.replace(/^\[|\]$/g, ''), port };
}
