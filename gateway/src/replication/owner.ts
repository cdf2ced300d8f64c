// Owner: what the entry of a shard says of the gateway that owns it.
import type { GatewayAddresses } from '../cluster.ts';
import type { Entry } from './entries.ts';

/** A gateway's name among all starts of gateways, and where it is reached. */
export interface Candidate {
  /** unique */
  gateway: string;
  /** host:port */
  grpc: string;
  rest: string;
  /** of its Redis door; absent: it has none */
  resp?: string | undefined;
}

export interface Owner extends Candidate {
  /** of the shard's start at this gateway; greater than that of every owner before */
  incarnation: number;
  /** the wall clock when it took the shard, in ms since the Unix epoch */
  sinceMs: number;
  /** counts its renewals, so that each changes the entry */
  renewals: number;
  /** its wall clock at the last of them */
  wallMs: number;
  /** It has given the shard up. */
  isReleased: boolean;
  /** the id of the shard's log; empty: it has not been opened for the first time yet */
  log: string;
  /** the addresses of the owner before, which may be the same; null: there was none */
  before: GatewayAddresses | null;
}

/** Whether the owner has the shard from a gateway at another address; otherwise the shard has only started again. */
export const isTakeOver = ({ grpc, before }: Pick<Owner, 'grpc' | 'before'>): boolean => before !== null && before.grpc !== grpc;

export const ownerKey = (shard: number): string => `shard.${shard}`;

export const encodeOwner = (owner: Owner): string => JSON.stringify(owner);

/** Throws if the entry holds something else. */
export function decodeOwner(shard: number, { value }: Entry): Owner {
  const wrong = () => new Error(`the entry of shard ${shard} should name its owner, and holds something else`);
  let found: Partial<Owner>;
  try {
    found = JSON.parse(value) as Partial<Owner>;
  } catch {
    throw wrong();
  }
  const { gateway, grpc, rest, resp = '', log, incarnation, sinceMs, renewals, wallMs, isReleased, before } = found ?? {};
  const texts = [gateway, grpc, rest, resp, log].every((text) => typeof text === 'string');
  if (!texts || ![incarnation, sinceMs, renewals, wallMs].every(Number.isSafeInteger) || typeof isReleased !== 'boolean') throw wrong();
  if (before !== null && ![before?.grpc, before?.rest].every((text) => typeof text === 'string')) throw wrong();
  return found as Owner;
}
