// The gateways of a cluster must agree on its name, its durability, the shards among which the slots were dealt, the addresses of the shards,
// and how far each shard's log has come. They greet each other: before a gateway serves, it greets all others that can be reached; then it
// repeats this until all have answered; with a log it continues once a second, so that each gateway knows how far the others' logs are
// durable, and which slots their shards own. A shard that joins a running cluster says so by greeting it. A greeting also says where the
// Redis door is.
//
// A gateway ends if its settings differ from those of a gateway that it greets. It also ends if its log lacks something that it has
// reported to another gateway, regardless of which of the two greets: the lost entries belong to transactions over shards. So a greeting
// has two steps: first a gateway asks what the other one knows of its log; only if that is right, it reports how far its log has come and
// what it knows of the other's.
import type { SlotRun } from '@claret/client';
import type { ClusterMember, GatewayAddresses } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { LogPoint } from '../log/lineage.ts';
import type { Topology } from '../topology.ts';
import type { DurableShard } from './durable-shard.ts';
import type { KnownLogs } from './known-logs.ts';

/** The cluster according to one gateway. */
export interface ClusterView {
  clusterName: string;
  durability: string;
  /** the number of shards among which the slots were dealt at first */
  dealt: number;
  /** gRPC addresses, in shard order */
  addresses: string[];
}

type OwnView = Pick<
  Topology,
  'clusterName' | 'durability' | 'dealt' | 'addresses' | 'replicated' | 'members' | 'takeSlots' | 'join' | 'takeDoor'
>;

export interface Greeting {
  /** the sender's shard */
  shard: number;
  /** durable end of the sender's log, which agrees with what the receiver knows of it; null: the first step, or no log */
  point: LogPoint | null;
  /** durable end of the receiver's log, as far as the sender knows it */
  known: LogPoint | null;
  /** of the sender */
  addresses: GatewayAddresses;
  slots: readonly SlotRun[];
}

export interface GreetingAnswer extends ClusterView {
  /** durable end of the answering gateway's log */
  point: LogPoint | null;
  /** durable end of the log of the gateway that greets, as far as the answering one knows it */
  known: LogPoint | null;
  /** why the answering gateway must end; empty: it need not */
  refusal: string;
  /** of the answering gateway's shard */
  slots: readonly SlotRun[];
}

/** The subset of `Peers` for greetings. Implemented once, since Peers carries what is defined here. */
export interface GreetedPeers {
  /** Throws shard_unavailable. */
  greet(member: ClusterMember, greeting: Greeting, timeoutMs?: number): Promise<GreetingAnswer>;
}

type AgreedLogs = Pick<DurableShard, 'point' | 'hasBeenAt'> & { readonly logs: Pick<KnownLogs, 'of' | 'learn'> };

/** Two gateways differ; the message says in what. */
export class ClusterMismatch extends Error {
  override name = 'ClusterMismatch';
}

const GREET_AGAIN_MS = 1_000;
/** limit for the last greetings at shutdown */
const FAREWELL_MS = 500;
/** delay before `onMismatch`, so that the answer is sent first */
const ANSWER_SENT_MS = 50;

export class Agreement {
  /** A mismatch was found after this gateway had begun to serve. */
  onMismatch: (mismatch: ClusterMismatch) => void = () => {};
  /** A shard has not answered, or must end. Called once for each reason. */
  onSilent: (why: string) => void = () => {};
  /** The slots that the own shard owns; none, where they do not move. */
  ownSlots: () => readonly SlotRun[] = () => [];

  private readonly own: OwnView;
  private readonly shard: number;
  private readonly peers: GreetedPeers;
  /** null with durability none */
  private readonly durableShard: AgreedLogs | null;
  private readonly greeted = new Set<ClusterMember>();
  /** the last reason that was passed to `onSilent` */
  private readonly reported = new Map<ClusterMember, string>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(own: OwnView, shard: number, peers: GreetedPeers, durableShard: AgreedLogs | null) {
    this.own = own;
    this.shard = shard;
    this.peers = peers;
    this.durableShard = durableShard;
  }

  private get others(): ClusterMember[] {
    return this.own.members.filter((member) => member.shard !== this.shard);
  }

  /** To be called before the gateway serves. Throws ClusterMismatch. */
  async begin(): Promise<void> {
    await this.greetAll();
    this.greetLater();
  }

  /** Answers the greeting of another gateway. Throws invalid_request. */
  answer({ shard, point, known, addresses: theirs, slots }: Greeting): GreetingAnswer {
    const { durableShard, own } = this;
    const joins = theirs.grpc !== '' && own.join(shard, theirs);
    const other = this.others.find((member) => member.shard === shard);
    if (other === undefined) throw new GatewayError('invalid_request', `Shard ${shard} is not another one of this cluster.`);
    if (joins) this.greetLater();
    if (theirs.grpc !== '') own.takeDoor(shard, theirs.resp);
    own.takeSlots(shard, slots);
    const { clusterName, durability, addresses, dealt } = own;
    const mismatch = this.ownLoss(other, known);
    if (mismatch !== null) setTimeout(() => this.onMismatch(mismatch), ANSWER_SENT_MS);
    else if (point !== null) durableShard?.logs.learn(shard, point);
    return {
      clusterName,
      durability,
      addresses,
      dealt,
      slots: this.ownSlots(),
      point: durableShard?.point() ?? null,
      known: durableShard?.logs.of(shard) ?? null,
      refusal: mismatch?.message ?? '',
    };
  }

  /** Stops the greetings, except for `farewell`. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Reports the final end of the log to the other gateways. REQUIRES: nothing is appended any more. */
  async farewell(): Promise<void> {
    if (this.durableShard === null) return;
    await Promise.all([...this.greeted].map((member) => this.peers.greet(member, this.greetingFor(member), FAREWELL_MS).catch(() => null)));
  }

  /** Tells all others at once which slots the own shard owns. */
  async tell(): Promise<void> {
    await this.greetAll().catch(this.onMismatch);
  }

  private greetLater(): void {
    clearTimeout(this.timer);
    if (this.closed || (this.durableShard === null && this.others.every((member) => this.greeted.has(member)))) return;
    this.timer = setTimeout(() => {
      this.greetAll().then(() => this.greetLater(), this.onMismatch);
    }, GREET_AGAIN_MS).unref();
  }

  private async greetAll(): Promise<void> {
    await Promise.all(this.others.map((member) => this.greet(member)));
  }

  private async greet(member: ClusterMember): Promise<void> {
    try {
      if (!this.greeted.has(member))
        this.compare(member, await this.peers.greet(member, { ...this.greetingFor(member), point: null, known: null }));
      if (this.durableShard !== null) {
        const { point, refusal, slots } = await this.peers.greet(member, this.greetingFor(member));
        if (refusal !== '') throw new Error(refusal);
        if (point !== null) this.durableShard.logs.learn(member.shard, point);
        this.own.takeSlots(member.shard, slots);
      }
      this.greeted.add(member);
      this.reported.delete(member);
    } catch (error) {
      if (error instanceof ClusterMismatch) throw error;
      this.reportSilent(member, error as Error);
    }
  }

  private greetingFor({ shard }: ClusterMember): Greeting {
    const { grpc, rest, resp } = this.own.members[this.shard]!;
    return {
      shard: this.shard,
      point: this.durableShard?.point() ?? null,
      known: this.durableShard?.logs.of(shard) ?? null,
      addresses: { grpc, rest, resp },
      slots: this.ownSlots(),
    };
  }

  private reportSilent(member: ClusterMember, { message }: Error): void {
    if (this.reported.get(member) !== message) this.onSilent(message);
    this.reported.set(member, message);
  }

  private compare(member: ClusterMember, other: GreetingAnswer): void {
    const { own } = this;
    const differ = (what: string, theirs: string, ours: string): never => {
      throw new ClusterMismatch(
        `the gateway of shard ${member.shard} at ${member.grpc} has ${what} '${theirs}', and this one '${ours}': all gateways of a cluster need the same`,
      );
    };
    if (other.clusterName !== own.clusterName) differ('the cluster name', other.clusterName, own.clusterName);
    if (other.durability !== own.durability) differ('the durability', other.durability, own.durability);
    if (other.dealt !== own.dealt) differ('the number of shards among which slots were dealt', String(other.dealt), String(own.dealt));
    // One of the two may not have heard of shards that joined later.
    const count = Math.min(other.addresses.length, own.addresses.length);
    const [theirs, ours] = [other, own].map(({ addresses }) => addresses.slice(0, count).join(', '));
    if (!own.replicated && theirs !== ours) differ('the shards', theirs!, ours!);
    const loss = this.ownLoss(member, other.known);
    if (loss !== null) throw loss;
  }

  /** Null if the own log contains everything that it has reported to that gateway. */
  private ownLoss({ shard, grpc }: ClusterMember, reported: LogPoint | null): ClusterMismatch | null {
    if (reported === null || this.durableShard === null || this.durableShard.hasBeenAt(reported)) return null;
    const { log, position } = this.durableShard.point();
    const peer = `the gateway of shard ${shard} at ${grpc}`;
    const what =
      reported.log === log
        ? `the log of shard ${this.shard} ends early: it had told ${peer} of entry ${reported.position} of its start ${reported.incarnation}, and now ends with entry ${position} and without that one`
        : `shard ${this.shard} has another log than before: ${reported.log} to ${peer}, ${log} to this one`;
    return new ClusterMismatch(
      `${what}. What was lost or restored for one shard does not fit what the others hold: bring its data directory back, or restore all shards from one backup (docs/operations.md, "Failed disk")`,
    );
  }
}
