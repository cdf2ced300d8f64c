// Compares the wall clocks of the cluster's gateways. Each gateway asks the others for theirs, before it serves and then at intervals. A
// shard whose clock differs from the own clock by more than `maxSkewMs` is *apart*: the own shard refuses transactions over both
// (`clock_skew`) before it votes, until the clocks are set right. A transaction that has been voted for is never refused. Correctness does
// not depend on how soon a difference is noticed (docs/decisions/0020-clocks.md).
import type { ClusterMember } from '../cluster.ts';

export interface ClockApart {
  shard: number;
  /** how far the clock is ahead of the own one; negative: behind it */
  aheadMs: number;
}

export interface ClusterClocksOptions {
  shard: number;
  members: readonly ClusterMember[];
  /** The time of that gateway, in ms since the Unix epoch. Rejects with shard_unavailable. */
  getClock: (member: ClusterMember) => Promise<number>;
  maxSkewMs: number;
  /** Called when the set of shards that are apart has changed. */
  onChange: (apart: readonly ClockApart[]) => void;
  wallMs?: () => number;
  monotonicMs?: () => number;
}

const LOOK_MS = 1_000;
/** number of gateways that are asked at a time, in turn */
const ASKED_MAX = 8;

export class ClusterClocks {
  private readonly options: Required<ClusterClocksOptions>;
  /** by shard, for those that have answered */
  private readonly aheadMs = new Map<number, number>();
  private apartNow: readonly ClockApart[] = [];
  private timer: NodeJS.Timeout | undefined;
  private next = 0;
  private closed = false;

  constructor(options: ClusterClocksOptions) {
    this.options = { wallMs: () => Date.now(), monotonicMs: () => performance.now(), ...options };
  }

  /** Shards that join come later. */
  private get others(): readonly ClusterMember[] {
    return this.options.members.filter(({ shard }) => shard !== this.options.shard);
  }

  /** the shards that are apart, in the order of their numbers */
  get apart(): readonly ClockApart[] {
    return this.apartNow;
  }

  /** True if most other shards are apart from this one, so that this gateway's clock is probably the wrong one. */
  get ownClockIsSuspect(): boolean {
    return this.apartNow.length > this.others.length / 2;
  }

  /** Asks all others once; to be called before the gateway serves. */
  async begin(): Promise<void> {
    await Promise.all(this.others.map((member) => this.ask(member)));
    this.judge();
    this.lookLater();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Asks the next ASKED_MAX others. */
  async look(): Promise<void> {
    const { others } = this;
    const count = Math.min(ASKED_MAX, others.length);
    const asked = Array.from({ length: count }, (_, i) => others[(this.next + i) % others.length]!);
    this.next = (this.next + count) % Math.max(1, others.length);
    await Promise.all(asked.map((member) => this.ask(member)));
    if (!this.closed) this.judge();
  }

  private lookLater(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => void this.look().then(() => this.lookLater()), LOOK_MS).unref();
  }

  // The other gateway read its clock between the request and the answer, so its distance is at least that to the nearer of the two moments.
  // The last distance of a gateway that does not answer is kept.
  private async ask(member: ClusterMember): Promise<void> {
    const { getClock, wallMs, monotonicMs } = this.options;
    const askedMs = monotonicMs();
    const theirs = await getClock(member).catch(() => null);
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
export function describeClocksApart(apart: readonly ClockApart[], maxSkewMs: number): string {
  const each = apart.map(
    ({ shard, aheadMs }) =>
      `shard ${shard}'s clock is ${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this gateway's`,
  );
  return `${each.join(', ')}; up to ${maxSkewMs / 1000} s are allowed. Transactions over both shards are refused (clock_skew) until the clocks are set right.`;
}
