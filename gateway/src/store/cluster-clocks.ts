// The wall clocks of the cluster's gateways, compared. Each gateway asks the others for theirs, before it serves and then now
// and then. A shard whose clock is further from the own one's than `maxSkewMs` is *apart*: the own shard refuses transactions
// over both (`clock_skew`) before it votes, until one of the clocks is set right. What has been voted for is never refused, and
// nothing rests on the comparison being in time (docs/decisions/0020-clocks.md).
import type { ClusterMember } from '../cluster.ts';

export interface ClockApart {
  shard: number;
  /** of the own clock; negative: behind it */
  aheadMs: number;
}

/** The other gateways, as far as their clocks are asked for (Peers). */
export interface PeerClocks {
  /** In ms since the Unix epoch. Throws shard_unavailable. */
  getClock(member: ClusterMember): Promise<number>;
}

export interface ClusterClocksOptions {
  shard: number;
  members: readonly ClusterMember[];
  peers: PeerClocks;
  maxSkewMs: number;
  /** The shards that are apart have changed. */
  onChange: (apart: readonly ClockApart[]) => void;
  wallMs?: () => number;
  monotonicMs?: () => number;
}

const LOOK_MS = 1_000;
/** So many are asked at a time, in turn. */
const ASKED_MAX = 8;

export class ClusterClocks {
  private readonly options: Required<ClusterClocksOptions>;
  private readonly others: readonly ClusterMember[];
  /** by shard; of those that have answered */
  private readonly aheadMs = new Map<number, number>();
  private apartNow: readonly ClockApart[] = [];
  private timer: NodeJS.Timeout | undefined;
  private next = 0;
  private closed = false;

  constructor(options: ClusterClocksOptions) {
    this.options = { wallMs: () => Date.now(), monotonicMs: () => performance.now(), ...options };
    this.others = options.members.filter(({ shard }) => shard !== options.shard);
  }

  /** In order of their numbers. */
  get apart(): readonly ClockApart[] {
    return this.apartNow;
  }

  /** It is this gateway's clock, as far as that can be told: most of the others are apart from it. */
  get isOdd(): boolean {
    return this.apartNow.length > this.others.length / 2;
  }

  /** Before the gateway serves: asks all. */
  async begin(): Promise<void> {
    await Promise.all(this.others.map((member) => this.ask(member)));
    this.judge();
    this.lookLater();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Asks those whose turn it is. */
  async look(): Promise<void> {
    const count = Math.min(ASKED_MAX, this.others.length);
    const asked = Array.from({ length: count }, (_, i) => this.others[(this.next + i) % this.others.length]!);
    this.next = (this.next + count) % this.others.length;
    await Promise.all(asked.map((member) => this.ask(member)));
    if (!this.closed) this.judge();
  }

  private lookLater(): void {
    if (this.closed || this.others.length === 0) return;
    this.timer = setTimeout(() => void this.look().then(() => this.lookLater()), LOOK_MS).unref();
  }

  // It has read its clock between the moment at which it was asked and the one at which it has answered: the distance is at
  // least that to the nearer of the two. One that does not answer stays as it was.
  private async ask(member: ClusterMember): Promise<void> {
    const { peers, wallMs, monotonicMs } = this.options;
    const askedMs = monotonicMs();
    const theirs = await peers.getClock(member).catch(() => null);
    if (theirs === null) return;
    const nowMs = wallMs();
    const least = theirs - nowMs;
    const most = least + (monotonicMs() - askedMs);
    this.aheadMs.set(member.shard, least > 0 ? least : Math.min(0, most));
  }

  private judge(): void {
    const apart = [...this.aheadMs]
      .filter(([, aheadMs]) => Math.abs(aheadMs) > this.options.maxSkewMs)
      .map(([shard, aheadMs]) => ({ shard, aheadMs: Math.round(aheadMs) }))
      .sort((a, b) => a.shard - b.shard);
    const changed = apart.map(({ shard }) => shard).join() !== this.apartNow.map(({ shard }) => shard).join();
    this.apartNow = apart;
    if (changed) this.options.onChange(apart);
  }
}

/** One sentence for the log. */
export function tellApart(apart: readonly ClockApart[], maxSkewMs: number): string {
  const each = apart.map(
    ({ shard, aheadMs }) =>
      `shard ${shard}'s clock is ${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this gateway's`,
  );
  return `${each.join(', ')}; up to ${maxSkewMs / 1000} s are allowed. Transactions over both shards are refused (clock_skew) until the clocks are set right.`;
}
