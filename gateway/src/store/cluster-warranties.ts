// The warranties of a record, at whichever shard it is: the gateway of that shard is asked.
import type { RecordWarranties, ShownWarranty } from '@claret/client/telemetry';
import { slotOf } from '@claret/core';
import type { ListedWarranty } from '@claret/core';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import { resultToJson } from '../transaction/arguments.ts';
import type { MovingHost } from './moving-host.ts';
import type { ShardHost } from './shard-host.ts';

const KEY_BYTES_MAX = 1_024;

type Own = Pick<ShardHost, 'warranties'> & { readonly moving: Pick<MovingHost, 'slots'> };

/** The subset of `Peers` for warranties. */
interface PeerWarranties {
  /** Throws shard_unavailable and wrong_shard. */
  warranties(member: ClusterMember, key: string, recall: boolean): Promise<ShownWarranty[]>;
}

const holds = (runs: readonly { first: number; last: number }[], slot: number) =>
  runs.some(({ first, last }) => slot >= first && slot <= last);

export class ClusterWarranties {
  private readonly own: Own;
  private readonly shard: number;
  private readonly members: readonly ClusterMember[];
  private readonly peers: PeerWarranties;

  constructor(own: Own, shard: number, members: readonly ClusterMember[], peers: PeerWarranties) {
    this.own = own;
    this.shard = shard;
    this.members = members;
    this.peers = peers;
  }

  /**
   * The warranties that stand, the oldest first; with `recall`, all of them are recalled by then. Throws invalid_key, shard_unavailable, and
   * wrong_shard while the record moves.
   */
  async ask(key: string, recall: boolean): Promise<RecordWarranties> {
    if (key === '' || Buffer.byteLength(key) > KEY_BYTES_MAX) throw new GatewayError('invalid_key', 'A key has 1 byte to 1 KiB.');
    const slot = slotOf(key);
    const member = this.members.find(({ slots }) => holds(slots, slot));
    if (member === undefined) throw new GatewayError('wrong_shard', 'No shard is known that owns the key.');
    const { shard } = member;
    return { key, shard, warranties: shard === this.shard ? this.askOwn(key, recall) : await this.peers.warranties(member, key, recall) };
  }

  /** The warranties of a record of this gateway's shard. Throws wrong_shard. */
  askOwn(key: string, recall: boolean): ShownWarranty[] {
    const slot = slotOf(key);
    if (!holds(this.own.moving.slots(), slot)) throw this.wrongShard(key, slot);
    return this.own.warranties(key, recall).map(shown);
  }

  private wrongShard(key: string, slot: number): GatewayError {
    const owner = this.members.find(({ shard, slots }) => shard !== this.shard && holds(slots, slot));
    const who = owner === undefined ? 'no owner is known here' : `shard ${owner.shard} at ${owner.grpc} does`;
    return new GatewayError('wrong_shard', `Shard ${this.shard} does not own the key: ${who}.`, { key });
  }
}

const shown = ({ operation, arguments: args, ageMs, recalledAgoMs, endsInMs, granted, uses, holders }: ListedWarranty): ShownWarranty => ({
  operation,
  arguments: args.map(resultToJson),
  age_ms: ageMs,
  recalled_ago_ms: recalledAgoMs,
  ends_in_ms: endsInMs,
  granted,
  uses,
  holders: holders.map(({ session, grants, lost, silentMs, lapsesInMs }) => ({
    session,
    grants,
    lost,
    silent_ms: silentMs,
    lapses_in_ms: lapsesInMs,
  })),
});
