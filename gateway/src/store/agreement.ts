// What the gateways of a cluster must agree on: its name, its durability, where its shards are, and how far each one's log has come. They greet
// each other: before one serves, with all others that are there; then again until it has heard from all; and, with a log, once a second from then
// on, so that each knows of the others' logs what is durable there.
//
// A gateway with other settings than one that it greets ends. One whose log is not what it has told another gateway ends too, whichever of
// the two greets: what it has lost is half of transactions that the others hold. So a greeting has two steps: first a gateway asks what is known of its
// own log, and only if that is right it tells how far it has come, and what it knows of the other's.
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { LogPlace } from '../log/lineage.ts';

/** The cluster as one gateway takes it to be. */
export interface ClusterView {
  clusterName: string;
  durability: string;
  /** gRPC, in shard order */
  addresses: string[];
}

export interface Greeting {
  /** of the gateway that greets */
  shard: number;
  /** how far its log has come, which fits all that was known of it; null: it only asks, or has no log */
  place: LogPlace | null;
  /** what it knows of the log of the gateway that it greets */
  known: LogPlace | null;
}

export interface GreetingAnswer extends ClusterView {
  place: LogPlace | null;
  /** of the log of the gateway that greets */
  known: LogPlace | null;
  /** why the gateway that answers must end; empty: it need not */
  refusal: string;
}

/** The other gateways, as far as they are greeted (Peers). */
export interface GreetedPeers {
  /** Throws shard_unavailable. */
  greet(member: ClusterMember, greeting: Greeting, timeoutMs?: number): Promise<GreetingAnswer>;
}

/** The own log, and what is known of the others' (KeptShard). */
export interface AgreedLogs {
  place(): LogPlace;
  hasBeenAt(place: LogPlace): boolean;
  logs: { of(shard: number): LogPlace | null; learn(shard: number, place: LogPlace): boolean };
}

/** The message says in what two gateways differ. */
export class ClusterMismatch extends Error {
  override name = 'ClusterMismatch';
}

const GREET_AGAIN_MS = 1_000;
/** At the end nobody waits longer for another gateway. */
const FAREWELL_MS = 500;
/** An answer has left by then. */
const LAST_WORDS_MS = 50;

export class Agreement {
  /** Found out after this gateway has begun to serve. */
  onMismatch: (mismatch: ClusterMismatch) => void = () => {};
  /** That shard has not answered, or must end; told again when it is for another reason. */
  onSilent: (why: string) => void = () => {};

  private readonly own: ClusterView;
  private readonly shard: number;
  private readonly others: ClusterMember[];
  private readonly peers: GreetedPeers;
  /** null with durability none */
  private readonly kept: AgreedLogs | null;
  private missing: Set<ClusterMember>;
  private readonly told = new Map<ClusterMember, string>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(own: ClusterView, shard: number, members: ClusterMember[], peers: GreetedPeers, kept: AgreedLogs | null) {
    this.own = own;
    this.shard = shard;
    this.others = members.filter((member) => member.shard !== shard);
    this.peers = peers;
    this.kept = kept;
    this.missing = new Set(this.others);
  }

  /** Before the gateway serves. Throws ClusterMismatch. */
  async begin(): Promise<void> {
    await this.greetAll();
    this.greetLater();
  }

  /** To another gateway. Throws invalid_request. */
  answer({ shard, place, known }: Greeting): GreetingAnswer {
    const other = this.others.find((member) => member.shard === shard);
    if (other === undefined) throw new GatewayError('invalid_request', `Shard ${shard} is not another one of this cluster.`);
    const { kept } = this;
    const mismatch = this.ownLoss(other, known);
    if (mismatch !== null) setTimeout(() => this.onMismatch(mismatch), LAST_WORDS_MS);
    else if (place !== null) kept?.logs.learn(shard, place);
    return { ...this.own, place: kept?.place() ?? null, known: kept?.logs.of(shard) ?? null, refusal: mismatch?.message ?? '' };
  }

  /** No more greetings, but `farewell`. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** The last thing that the others hear: how far the log has come, once nothing is added to it. */
  async farewell(): Promise<void> {
    if (this.kept === null) return;
    const met = this.others.filter((member) => !this.missing.has(member));
    await Promise.all(met.map((member) => this.peers.greet(member, this.greetingFor(member), FAREWELL_MS).catch(() => null)));
  }

  private greetLater(): void {
    if (this.closed || (this.missing.size === 0 && this.kept === null)) return;
    this.timer = setTimeout(() => {
      this.greetAll().then(() => this.greetLater(), this.onMismatch);
    }, GREET_AGAIN_MS).unref();
  }

  private async greetAll(): Promise<void> {
    await Promise.all(this.others.map((member) => this.greet(member)));
  }

  private async greet(member: ClusterMember): Promise<void> {
    try {
      if (this.missing.has(member)) this.compare(member, await this.peers.greet(member, { shard: this.shard, place: null, known: null }));
      if (this.kept !== null) {
        const { place, refusal } = await this.peers.greet(member, this.greetingFor(member));
        if (refusal !== '') throw new Error(refusal);
        if (place !== null) this.kept.logs.learn(member.shard, place);
      }
      this.missing.delete(member);
      this.told.delete(member);
    } catch (error) {
      if (error instanceof ClusterMismatch) throw error;
      this.tell(member, error as Error);
    }
  }

  private greetingFor({ shard }: ClusterMember): Greeting {
    return { shard: this.shard, place: this.kept?.place() ?? null, known: this.kept?.logs.of(shard) ?? null };
  }

  private tell(member: ClusterMember, { message }: Error): void {
    if (this.told.get(member) !== message) this.onSilent(message);
    this.told.set(member, message);
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
    if (other.addresses.join() !== own.addresses.join()) differ('the shards', other.addresses.join(', '), own.addresses.join(', '));
    const loss = this.ownLoss(member, other.known);
    if (loss !== null) throw loss;
  }

  /** Null where the own log has all that it has told that gateway of. */
  private ownLoss({ shard, grpc }: ClusterMember, told: LogPlace | null): ClusterMismatch | null {
    if (told === null || this.kept === null || this.kept.hasBeenAt(told)) return null;
    const { log, position } = this.kept.place();
    const who = `the gateway of shard ${shard} at ${grpc}`;
    const what =
      told.log === log
        ? `the log of shard ${this.shard} ends early: it had told ${who} of entry ${told.position} of its start ${told.incarnation}, and now ends with entry ${position} and without that one`
        : `shard ${this.shard} has another log than before: ${told.log} to ${who}, ${log} to this one`;
    return new ClusterMismatch(
      `${what}. What was lost or restored for one shard does not fit what the others hold: bring its data directory back, or restore all shards from one backup (docs/operations.md, "Failed disk")`,
    );
  }
}
