// Owners and standbys in words.
import { formatCount } from '@claret/ui/kit';
import type { Replication, ShardOwner, ShardStandby } from '@claret/client/telemetry';
import { clockTime } from '../../time/ticks.ts';

type Followed = ShardStandby['follows'][number];

/** How far a standby has followed one shard. */
export function followedWords({ ready, behind }: Followed): string {
  const far = behind === undefined || behind === 0 ? '' : `${formatCount(behind)} entries behind`;
  if (!ready) return far === '' ? 'still reading' : `still reading, ${far}`;
  if (behind === undefined) return 'follows';
  return far || 'up to date';
}

/** The same for all shards: what several have in common is said once. */
export function standbyWords({ follows }: ShardStandby): string {
  const words = follows.map((one) => ({ shard: one.shard, words: followedWords(one) }));
  const [first] = words;
  if (first === undefined) return 'follows no shard';
  const usual = mostFrequent(words.map((one) => one.words));
  const others = words.filter((one) => one.words !== usual);
  if (others.length === 0) return words.length === 1 ? usual : `${usual} with all shards`;
  const isCommon = words.length - others.length > 1;
  const named = (isCommon ? others : words).map((one) => `shard ${one.shard}: ${one.words}`);
  return [...(isCommon ? [usual] : []), ...named].join('; ');
}

/** The first of the most frequent. */
function mostFrequent(all: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

export interface StandbyCount {
  words: string;
  /** a shard whose owner dies now has no successor at hand */
  isWarning: boolean;
}

/** For the top bar: "1 standby", "no standby". */
export function standbyCount({ owners, standbys }: Replication): StandbyCount {
  if (standbys.length === 0) return { words: 'no standby', isWarning: true };
  const isFollowed = (shard: number) => standbys.some(({ follows }) => follows.some((one) => one.shard === shard && one.ready));
  if (!owners.every(({ shard }) => isFollowed(shard))) return { words: 'no standby ready', isWarning: true };
  return { words: standbys.length === 1 ? '1 standby' : `${standbys.length} standbys`, isWarning: false };
}

export const ownerState = ({ since_ms, present }: ShardOwner, at_ms: number): string =>
  `${sinceWords(since_ms, at_ms)}${present ? '' : ', lease not renewed'}`;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** "since 14:03:20"; with the date if that is longer ago than a day. */
export function sinceWords(since_ms: number, at_ms: number): string {
  if (at_ms - since_ms < DAY_MS) return `since ${clockTime(since_ms)}`;
  const date = new Date(since_ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `since ${date}, ${clockTime(since_ms)}`;
}
