// What the gateways of a cluster must agree on: its name, its durability and where its shards are. One that starts asks the
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
}

/** The message says in what two gateways differ. */
export class ClusterMismatch extends Error {
  override name = 'ClusterMismatch';
}

const ASK_AGAIN_MS = 1_000;

export class Agreement {
  /** Somebody who was not there when this gateway started says otherwise. */
  onMismatch: (mismatch: ClusterMismatch) => void = () => {};

  private readonly own: ClusterView;
  private readonly peers: Pick<Peers, 'getCluster'>;
  private missing: ClusterMember[];
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
    const views = await Promise.all(asked.map((member) => this.peers.getCluster(member).catch(() => null)));
    views.forEach((view, i) => view !== null && this.compare(asked[i]!, view));
    this.missing = this.missing.filter((member) => views[asked.indexOf(member)] === null);
  }

  private compare({ shard, grpc }: ClusterMember, other: ClusterView): void {
    const { own } = this;
    const differ = (what: string, theirs: string, ours: string): never => {
      throw new ClusterMismatch(`the gateway of shard ${shard} at ${grpc} has ${what} '${theirs}', and this one '${ours}': all gateways of a cluster need the same`);
    };
    if (other.clusterName !== own.clusterName) differ('the cluster name', other.clusterName, own.clusterName);
    if (other.durability !== own.durability) differ('the durability', other.durability, own.durability);
    if (other.addresses.join() !== own.addresses.join()) differ('the shards', other.addresses.join(', '), own.addresses.join(', '));
  }
}
