// The shards of the cluster: the addresses of each gateway and the slots that its shard owns.
//
// Each shard owns an equal, contiguous range of slots, computed as in the core (ShardOptions.shards). Slots do not move.
export const SLOTS = 16_384;

export interface GatewayAddresses {
  /** host:port */
  grpc: string;
  rest: string;
}

export interface ClusterMember extends GatewayAddresses {
  shard: number;
  /** 0 <= firstSlot <= lastSlot < SLOTS */
  firstSlot: number;
  lastSlot: number;
}

const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/;

/** Parses "GRPC/REST,GRPC/REST,…". Throws an Error that says what is wrong. */
export function parseCluster(text: string): ClusterMember[] {
  const pairs = text.split(',').map(parsePair);
  const seen = new Set<string>();
  return pairs.map(({ grpc, rest }, shard) => {
    for (const address of [grpc, rest]) {
      if (seen.has(address)) throw new Error(`'${address}' is used twice`);
      seen.add(address);
    }
    // The inverse of the core's slotOf(key) * shards / SLOTS.
    const firstSlot = Math.ceil((shard * SLOTS) / pairs.length);
    const lastSlot = Math.ceil(((shard + 1) * SLOTS) / pairs.length) - 1;
    return { shard, grpc, rest, firstSlot, lastSlot };
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
