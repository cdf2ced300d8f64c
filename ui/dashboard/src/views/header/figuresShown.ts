// The span that the header's numbers cover: the last two seconds of the time shown, whether the axis follows or stands still; a whole span that
// was picked; or the second around the pointed instant.
import { retriesPerCommit } from '../../components/retriesPerCommit.ts';
import type { Span } from '../../store/span.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import { clockTime, durationWords } from '../../time/ticks.ts';
import type { TimeAxis } from '../../time/timeAxis.ts';

const NOW_MS = 2_000;
const POINTED_MS = 1_000;

export interface Shown {
  span: Span;
  words: string;
}

/** The second around a pointed instant. */
export function around(at_ms: number): Span {
  return { from_ms: at_ms - POINTED_MS / 2, to_ms: at_ms + POINTED_MS / 2 };
}

export function shownOf({ hover_ms, following, picked, span }: Pick<TimeAxis, 'hover_ms' | 'following' | 'picked' | 'span'>): Shown {
  if (hover_ms !== null) {
    return { span: around(hover_ms), words: `At ${clockTime(hover_ms)}` };
  }
  if (picked) return { span, words: `Figures: all ${durationWords(span.to_ms - span.from_ms)} shown` };
  const last = { from_ms: span.to_ms - NOW_MS, to_ms: span.to_ms };
  return { span: last, words: following ? 'Figures: last 2 s' : `Figures: 2 s until ${clockTime(span.to_ms)}` };
}

export interface Figures {
  committed_per_s: number | null;
  natives_per_s: number | null;
  /** commands of clients of the Redis door */
  redis_per_s: number | null;
  /** transactions that were sent whole, those whose forecast was wrong, and those executed again */
  members_per_s: number | null;
  withdrawn_per_s: number | null;
  again_per_s: number | null;
  /** attempts of members of several shards, at each shard, and how many members each has */
  batches_per_s: number | null;
  members_per_batch: number | null;
  broken_per_s: number | null;
  stoodBack_per_s: number | null;
  /** operations that warranties answered without a message, and their share of all operations, 0..1 */
  warranted_per_s: number | null;
  warranted_share: number | null;
  /** members that committed in an epoch, at each of their shards, how many operations each had there, and the share of these in all operations, 0..1 */
  epochMembers_per_s: number | null;
  operations_per_member: number | null;
  epoch_share: number | null;
  /** times that a member was gathered again, and epochs that were called off, at each shard */
  cameBack_per_s: number | null;
  calledOff_per_s: number | null;
  retries_per_commit: number | null;
  p50_ms: number | null;
  p99_ms: number | null;
  /** time that transactions spent in all states, for each that committed */
  spent_ms: number | null;
}

export function figuresOf(store: TelemetryStore, span: Span): Figures {
  const { totals } = store;
  return {
    committed_per_s: totals.perSecond(span, 'committed'),
    natives_per_s: totals.perSecond(span, 'natives'),
    redis_per_s: totals.perSecond(span, 'redisCommands'),
    members_per_s: totals.perSecond(span, 'members'),
    withdrawn_per_s: totals.perSecond(span, 'withdrawn'),
    again_per_s: totals.perSecond(span, 'answeredAgain'),
    batches_per_s: totals.perSecond(span, 'batches'),
    members_per_batch: membersPerBatch(store, span),
    broken_per_s: totals.perSecond(span, 'chainsBroken'),
    stoodBack_per_s: totals.perSecond(span, 'stoodBack'),
    warranted_per_s: totals.perSecond(span, 'warrantedAnswers'),
    warranted_share: warrantedShare(store, span),
    epochMembers_per_s: totals.perSecond(span, 'epochMembers'),
    operations_per_member: operationsPerMember(store, span),
    epoch_share: epochShare(store, span),
    cameBack_per_s: totals.perSecond(span, 'cameBack'),
    calledOff_per_s: totals.perSecond(span, 'epochsCalledOff'),
    retries_per_commit: retriesPerCommit(store, span),
    p50_ms: totals.latency(span, 0.5),
    p99_ms: totals.latency(span, 0.99),
    spent_ms: spentPerCommit(store, span),
  };
}

/** Null without batches. */
export function membersPerBatch({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  const batches = totals.sum(span, 'batches');
  return batches > 0 ? totals.sum(span, 'batchMembers') / batches : null;
}

/** The share of all operations of transactions and natives that needed no message, 0..1; null without operations. */
export function warrantedShare({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  const warranted = totals.sum(span, 'warrantedAnswers');
  const all = warranted + totals.sum(span, 'operations');
  return all > 0 ? warranted / all : null;
}

/** Null without members of epochs. */
export function operationsPerMember({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  const members = totals.sum(span, 'epochMembers');
  return members > 0 ? totals.sum(span, 'epochOperations') / members : null;
}

/** The share of all operations of transactions and natives that ran in an epoch, 0..1; null without operations. */
export function epochShare({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  const all = totals.sum(span, 'warrantedAnswers') + totals.sum(span, 'operations');
  return all > 0 ? totals.sum(span, 'epochOperations') / all : null;
}

export interface ReasonCount {
  reason: string;
  /** chains that broke, and batches that stood back */
  broken: number;
  stoodBack: number;
}

/** The most frequent first; reasons that did not occur are left out. */
export function reasonsOf({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): ReasonCount[] {
  const { breaks, standBacks } = totals;
  const [first, end] = [totals.first(span), totals.end(span)];
  return [...new Set([...breaks.names, ...standBacks.names])]
    .map((reason) => ({ reason, broken: breaks.sum(first, end, reason), stoodBack: standBacks.sum(first, end, reason) }))
    .filter(({ broken, stoodBack }) => broken + stoodBack > 0)
    .sort((one, other) => other.broken + other.stoodBack - one.broken - one.stoodBack);
}

/** A state in which transactions spend time. */
export interface Spending {
  name: string;
  /** of the time spent in all states, 0..1; null if none was */
  share: number | null;
}

export const RUNNING = 'running';
/** From the bottom of the chart; states unknown to this page come last. */
const ORDER = ['lock_wait', 'phase_wait', 'warranty_wait', 'epoch_wait', 'turn', 'queued', 'backing_off', 'thrown_away'];

function inOrder(states: readonly string[]): string[] {
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return states.toSorted((one, other) => place(one) - place(other));
}

/**
 * Running first, then every other reported state. Waits are told when they end, so their sum is no number of transactions at a time: what
 * holds is each one's share.
 */
export function spendingOf({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): Spending[] {
  const states = inOrder(totals.causes());
  const spent_ms = [RUNNING, ...states].map(() => 0);
  for (let tick = totals.first(span); tick < totals.end(span); tick++) {
    spent_ms[0]! += totals.running(tick);
    states.forEach((state, at) => (spent_ms[at + 1]! += totals.waited(tick, state)));
  }
  const all_ms = spent_ms.reduce((sum, ms) => sum + ms, 0);
  return [RUNNING, ...states].map((name, at) => ({ name, share: all_ms > 0 ? spent_ms[at]! / all_ms : null }));
}

/** ms; null without commits. */
export function spentPerCommit({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  let all_ms = 0;
  for (let tick = totals.first(span); tick < totals.end(span); tick++) {
    all_ms += totals.running(tick);
    for (const state of totals.causes()) all_ms += totals.waited(tick, state);
  }
  const committed = totals.sum(span, 'committed');
  return committed > 0 ? all_ms / committed : null;
}
