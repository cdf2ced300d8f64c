// The conditions of the whole cluster. They carry a version, and the newest wins wherever two meet:
//
//   set       first every gateway is asked for its version: if one cannot be reached, nothing is changed anywhere. Then
//             all are told, with a version above all of theirs.
//   start     a gateway asks its peers before it serves, and takes the newest instead of those it was configured with.
//   repair    each asks one peer after the other, one every REPAIR_MS, and takes what is newer: whoever was cut off
//             between the two rounds of a change catches up as soon as anybody reaches it.
//
// Between the first shard that switches and the last, shards differ. That is safe: each locks what it holds by its own
// rule, and to or from `none` it drains first (docs/rules.md, section 10). Versions live as long as one gateway does:
// a cluster that starts as a whole starts with what it was configured with, which is version 0.
import type { Conditions } from '@claret/core';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

export interface VersionedConditions extends Conditions {
  /** greater at each change; changes * SHARDS_MAX + the shard that was asked for it, so that no two are equal */
  version: number;
}

/** What a shard says of itself: what it was told last, and whether that is in force. */
export interface LocalConditions extends VersionedConditions {
  /** not yet: to or from `none` it empties itself first */
  draining: boolean;
}

export interface ShardConditions {
  shard: number;
  /** null when the shard did not answer */
  conditions: Conditions | null;
  version: number | null;
  draining: boolean;
  error?: string;
}

/** The other gateways, as far as their shards' conditions go (Peers). */
export interface PeerConditions {
  /** Throws shard_unavailable. */
  getConditions(member: ClusterMember): Promise<LocalConditions>;
  /** Changes the conditions of that shard alone. Throws shard_unavailable. */
  setConditions(member: ClusterMember, wanted: VersionedConditions): Promise<LocalConditions>;
}

interface Own {
  conditions(): Conditions;
  setConditions(conditions: Conditions): void;
}

const SHARDS_MAX = 256;
const REPAIR_MS = 1_000;

export class ClusterConditions {
  /** Those that the gateway was started with. */
  readonly normal: Conditions;
  /** The own shard was told others than it had, since the gateway joined the cluster. */
  onChange: (conditions: Conditions) => void = () => {};

  private readonly own: Own;
  private readonly shard: number;
  private readonly members: ClusterMember[];
  private readonly peers: PeerConditions;
  private told: VersionedConditions;
  private changes: Promise<unknown> = Promise.resolve();
  private repair: NodeJS.Timeout | undefined;
  private next = 0;
  private joined = false;

  constructor(own: Own, shard: number, members: ClusterMember[], peers: PeerConditions) {
    this.own = own;
    this.shard = shard;
    this.members = members;
    this.peers = peers;
    this.normal = own.conditions();
    this.told = { ...this.normal, version: 0 };
  }

  local(): LocalConditions {
    const { told } = this;
    return { ...told, draining: differ(this.own.conditions(), told) };
  }

  /** Of the own shard alone, unless it knows newer ones. Version 0 is nobody's: it goes in force, and stands for nothing. */
  setLocal({ version, ...conditions }: VersionedConditions): LocalConditions {
    const before = this.told;
    if (version !== 0 && version <= before.version) return this.local();
    this.told = { ...conditions, version: Math.max(version, before.version) };
    this.own.setConditions(conditions);
    if (this.joined && differ(before, conditions)) this.onChange(conditions);
    return this.local();
  }

  everywhere(): Promise<ShardConditions[]> {
    return this.ask(
      () => this.local(),
      (member) => this.peers.getConditions(member),
    );
  }

  /**
   * Throws shard_unavailable: nothing was changed; conditions_partial: the change stands, and who was cut off meanwhile
   * will learn of it. Both carry the state of each shard as `shards`.
   */
  setEverywhere(conditions: Conditions): Promise<ShardConditions[]> {
    const change = this.changes.then(() => this.change(conditions));
    this.changes = change.catch(() => {});
    return change;
  }

  /** Before the gateway serves: takes the cluster's conditions, if anybody is there to know them. */
  async join(): Promise<void> {
    for (const { conditions, version } of await this.everywhere()) this.take(conditions, version);
    this.joined = true;
    if (this.members.length === 1) return;
    this.repair = setInterval(() => void this.askNext(), REPAIR_MS).unref();
  }

  close(): void {
    clearInterval(this.repair);
  }

  private async change(conditions: Conditions): Promise<ShardConditions[]> {
    const before = await this.everywhere();
    refuseMissing(before, 'shard_unavailable', (missed) => `Shard ${missed} cannot be reached: nothing was changed.`);
    const newest = Math.max(...before.map((shard) => shard.version!));
    const version = (Math.floor(newest / SHARDS_MAX) + 1) * SHARDS_MAX + this.shard;
    const wanted = { ...conditions, version };
    const after = await this.ask(
      () => this.setLocal(wanted),
      (member) => this.peers.setConditions(member, wanted),
    );
    refuseMissing(
      after,
      'conditions_partial',
      (missed) => `Not confirmed by shard ${missed}, which follows once it can be reached; set on all others.`,
    );
    return after;
  }

  private take(conditions: Conditions | null, version: number | null): void {
    if (conditions !== null && version !== null && version > this.told.version) this.setLocal({ ...conditions, version });
  }

  private async askNext(): Promise<void> {
    this.next = (this.next + 1) % this.members.length;
    if (this.next === this.shard) this.next = (this.next + 1) % this.members.length;
    try {
      const { version, draining: _, ...conditions } = await this.peers.getConditions(this.members[this.next]!);
      this.take(conditions, version);
    } catch {
      // It is asked again in its turn.
    }
  }

  private ask(own: () => LocalConditions, peer: (member: ClusterMember) => Promise<LocalConditions>): Promise<ShardConditions[]> {
    return Promise.all(
      this.members.map(async (member): Promise<ShardConditions> => {
        const { shard } = member;
        try {
          const { version, draining, ...conditions } = shard === this.shard ? own() : await peer(member);
          return { shard, conditions, version, draining };
        } catch (error) {
          return { shard, conditions: null, version: null, draining: false, error: (error as Error).message };
        }
      }),
    );
  }
}

const differ = (a: Conditions, b: Conditions): boolean => a.locks !== b.locks || a.phasing !== b.phasing || a.combining !== b.combining;

function refuseMissing(shards: ShardConditions[], code: ErrorCode, message: (missed: string) => string): void {
  const missed = shards.filter((shard) => shard.conditions === null).map((shard) => shard.shard);
  if (missed.length > 0) throw new GatewayError(code, message(missed.join(', ')), { extra: { shards } });
}
