// What the gateways of a cluster must agree on: its name, its durability, where its shards are and which log each keeps. One that starts asks the
// others before it serves, and refuses to start beside one that says otherwise. Those that start together find nobody yet:
// so each goes on asking until it has heard from all.
import type { ClusterMember } from '../cluster.ts';
import type { Peers } from '../grpc/peers.ts';

/** The cluster as one gateway takes it to be. */
export interface ClusterView {
  clusterName: string;
  durability: string;
  /** gRPC, in shard order */
  addresses: string[];
  /** by shard, which log it keeps; empty: not known, or none */
  logs: readonly string[];
}

/** The message says in what two gateways differ. */
export class ClusterMismatch extends Error {
  override name = 'ClusterMismatch';
}

const ASK_AGAIN_MS = 1_000;

export class Agreement {
  /** Somebody who was not there when this gateway started says otherwise. */
  onMismatch: (mismatch: ClusterMismatch) => void = () => {};
  /** That shard has not answered; told again when it is for another reason. */
  onSilent: (why: string) => void = () => {};
  /** That shard agrees. */
  onHeard: (shard: number, view: ClusterView) => void = () => {};

  private readonly own: ClusterView;
  private readonly peers: Pick<Peers, 'getCluster'>;
  private missing: ClusterMember[];
  private readonly told = new Map<ClusterMember, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(own: ClusterView, shard: number, members: ClusterMember[], peers: Pick<Peers, 'getCluster'>) {
    this.own = own;
    this.peers = peers;
    this.missing = members.filter((member) => member.shard !== shard);
  }

  /** Before the gateway serves. Throws ClusterMismatch. */
  async begin(): Promise<void> {
    await this.ask();
    this.askLater();
  }

  close(): void {
    clearTimeout(this.timer);
    this.missing = [];
  }

  private askLater(): void {
    if (this.missing.length === 0) return;
    this.timer = setTimeout(() => {
      this.ask().then(() => this.askLater(), this.onMismatch);
    }, ASK_AGAIN_MS).unref();
  }

  private async ask(): Promise<void> {
    const asked = this.missing;
    const views = await Promise.all(asked.map((member) => this.peers.getCluster(member).catch((error: Error) => this.tell(member, error))));
    views.forEach((view, i) => view !== null && this.compare(asked[i]!, view));
    views.forEach((view, i) => view !== null && this.onHeard(asked[i]!.shard, view));
    this.missing = this.missing.filter((member) => views[asked.indexOf(member)] === null);
  }

  private tell(member: ClusterMember, { message }: Error): null {
    if (this.told.get(member) !== message) this.onSilent(message);
    this.told.set(member, message);
    return null;
  }

  private compare({ shard, grpc }: ClusterMember, other: ClusterView): void {
    const { own } = this;
    const differ = (what: string, theirs: string, ours: string): never => {
      throw new ClusterMismatch(`the gateway of shard ${shard} at ${grpc} has ${what} '${theirs}', and this one '${ours}': all gateways of a cluster need the same`);
    };
    if (other.clusterName !== own.clusterName) differ('the cluster name', other.clusterName, own.clusterName);
    if (other.durability !== own.durability) differ('the durability', other.durability, own.durability);
    if (other.addresses.join() !== own.addresses.join()) differ('the shards', other.addresses.join(', '), own.addresses.join(', '));
    const changed = own.logs.findIndex((log, i) => log !== '' && other.logs[i] && other.logs[i] !== log);
    if (changed < 0) return;
    throw new ClusterMismatch(
      `shard ${changed} has another log than before: ${other.logs[changed]} to the gateway of shard ${shard} at ${grpc}, ${own.logs[changed]} to this one. ` +
        'What was lost or restored for one shard does not fit what the others hold: bring its data directory back, or restore all shards from one backup (docs/operations.md, "Failed disk")',
    );
  }
}
