// The shards of the cluster: the addresses of each gateway, its Redis door among them, and the slots that its shard owns.
import { dealtRun } from '@claret/client';
import type { SlotRun } from '@claret/client';

export interface GatewayAddresses {
  /** host:port */
  grpc: string;
  rest: string;
  /** of its Redis door; absent: it has none */
  resp?: string | undefined;
}

export interface ClusterMember extends GatewayAddresses {
  shard: number;
  /** in order */
  slots: readonly SlotRun[];
}

const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/;

/**
 * Parses "GRPC/REST,GRPC/REST/RESP,…". `dealt`: the number of the first shards among which the slots are dealt at first, 0 for all. Throws an
 * Error that says what is wrong.
 */
export function parseCluster(text: string, dealt = 0): ClusterMember[] {
  const gateways = text.split(',').map(parseAddresses);
  const dealtAmong = dealt === 0 ? gateways.length : dealt;
  if (dealtAmong > gateways.length) throw new Error(`slots cannot be dealt among ${dealtAmong} shards of ${gateways.length}`);
  refuseTwice(gateways.flatMap(addressesOf));
  return gateways.map((addresses, shard) => ({
    shard,
    ...addresses,
    slots: shard < dealtAmong ? [dealtRun(shard, dealtAmong)] : [],
  }));
}

/** Parses "GRPC/REST" or "GRPC/REST/RESP". Throws an Error that says what is wrong. */
export function parseStandby(text: string): GatewayAddresses {
  const addresses = parseAddresses(text);
  refuseTwice(addressesOf(addresses));
  return addresses;
}

/** With a Redis door on that port of the gRPC address' host; 0: as it is. Throws an Error that says what is wrong. */
export function withDoor(addresses: GatewayAddresses, port: number): GatewayAddresses {
  const { grpc, resp } = addresses;
  if (port === 0) return addresses;
  if (resp !== undefined && splitAddress(resp).port !== port) throw new Error(`the Redis door of this gateway is at '${resp}'`);
  const door = { ...addresses, resp: resp ?? grpc.replace(/\d+$/, String(port)) };
  refuseTwice(addressesOf(door));
  return door;
}

/** All that it has. */
export const addressesOf = ({ grpc, rest, resp }: GatewayAddresses): string[] => (resp === undefined ? [grpc, rest] : [grpc, rest, resp]);

function parseAddresses(text: string): GatewayAddresses {
  const addresses = text.trim().split('/');
  const [grpc, rest, resp] = addresses;
  if (addresses.length > 3 || !grpc || !rest || resp === '') {
    throw new Error(`'${text.trim()}' is not a pair GRPC/REST of host:port, with or without a third one, /RESP`);
  }
  for (const address of addresses) splitAddress(address);
  return resp === undefined ? { grpc, rest } : { grpc, rest, resp };
}

function refuseTwice(addresses: string[]): void {
  const twice = addresses.find((address, at) => addresses.indexOf(address) < at);
  if (twice !== undefined) throw new Error(`'${twice}' is used twice`);
}

/** Throws if `address` is not host:port. */
export function splitAddress(address: string): { host: string; port: number } {
  const match = ADDRESS.exec(address);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) throw new Error(`'${address}' is not host:port`);
  return { host: match[1]!.replace(/^\[|\]$/g, ''), port };
}
