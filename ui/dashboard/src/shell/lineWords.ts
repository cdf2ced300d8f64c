// The state of the connection to the cluster, in words.
import { TELEMETRY_VERSION, type Change } from '@claret/client/telemetry';
import type { FeedView } from '../feed/feed.ts';
import type { LiveState, LiveStatus } from '../feed/liveFeed.ts';
import type { Mark } from '../store/telemetryStore.ts';
import { secondsWords } from '../time/markWords.ts';

interface Words {
  look: 'live' | 'waiting' | 'bad' | 'recording';
  label: string;
  meaning: string;
}

const TOO_MANY = 503;
const LIST = new Intl.ListFormat('en');

export type TakeOver = Extract<Change, { shard_taken_over: number }>;

/** Why the picture is out of date, with silent shards incomplete, or from another gateway than the page. */
export type LineTrouble = Exclude<LiveState, 'live'> | 'silent' | 'elsewhere';

export function troubleOf({ state, elsewhere }: LiveStatus, silent: readonly number[]): LineTrouble | null {
  if (state !== 'live') return state;
  if (silent.length > 0) return 'silent';
  return elsewhere === null ? null : 'elsewhere';
}

export function lineWords({ source, live }: Pick<FeedView, 'source' | 'live'>): Words {
  if (source === 'recording') return { look: 'recording', label: 'Recording', meaning: 'You are watching a recording' };
  switch (live.state) {
    case 'live':
      return { look: 'live', label: 'Live', meaning: 'You see the cluster as it is now' };
    case 'stale':
      return live.behind_s > 0
        ? { look: 'waiting', label: `${live.behind_s} s behind`, meaning: 'The connection is too slow: what you see is slightly old' }
        : { look: 'waiting', label: 'Reconnecting', meaning: 'The connection was lost: what you see is old' };
    case 'offline':
      return { look: 'bad', label: 'Offline', meaning: 'No network: what you see is old' };
    case 'other_version':
      return { look: 'bad', label: 'Version mismatch', meaning: 'The cluster was upgraded: reload this page' };
    case 'connecting':
      return live.refusal === TOO_MANY
        ? { look: 'bad', label: 'Full', meaning: 'The cluster has as many viewers as it allows; trying again' }
        : { look: 'waiting', label: 'Connecting', meaning: 'Waiting for the cluster' };
  }
}

/** The same in a sentence or two. `until`: the time of the newest telemetry. */
export function bannerWords({ state, behind_s, refusal, otherVersion }: LiveStatus, until: string | null): string {
  const known = until === null ? '' : ` The picture ends at ${until}.`;
  switch (state) {
    case 'connecting':
      return refusal === TOO_MANY
        ? 'The cluster has as many viewers as it allows. This page keeps trying.'
        : 'No cluster answers here yet. This page keeps trying; meanwhile, “Open” plays a recording.';
    case 'stale':
      return behind_s > 0
        ? `The connection or this computer can’t keep up: what you see is ${behind_s} s old.`
        : `The connection to the cluster was lost. Reconnecting.${known}`;
    case 'offline':
      return `This computer is offline.${known} It continues as soon as the network is back.`;
    case 'other_version':
      return `The cluster was upgraded: its telemetry has version ${otherVersion ?? '?'}, this page expects ${TELEMETRY_VERSION}.`;
    case 'live':
      return '';
  }
}

export function takeOverWords({ shard_taken_over: shard, by, from, unanswered_ms }: TakeOver): string {
  const silence = unanswered_ms === undefined ? '' : ` The shard gave no answers for at most ${secondsWords(unanswered_ms)}.`;
  return `${by} has taken shard ${shard} over from ${from}.${silence}`;
}

/** The take-overs since a time, oldest first. */
export const takeOversSince = (marks: readonly Mark[], since_ms: number): TakeOver[] =>
  marks.flatMap(({ at_ms, what }) => (at_ms >= since_ms && 'shard_taken_over' in what ? [what] : []));

/** For a live picture without the reports of these shards. */
export function silentWords(silent: readonly number[]): string {
  const shards = silent.length === 1 ? `Shard ${silent[0]} does` : `Shards ${LIST.format(silent.map(String))} do`;
  return `${shards} not answer: what needs ${silent.length === 1 ? 'its' : 'their'} records waits or fails. Everything else goes on.`;
}

/** For a live picture from another gateway than the page's own. */
export const elsewhereWords = (elsewhere: string): string =>
  `The gateway of this page does not answer. You see the cluster through ${elsewhere}, and can change things only there.`;

/** After a trouble, with the take-overs meanwhile; null: its end speaks for itself. */
export function backWords(trouble: LineTrouble, takeOvers: readonly TakeOver[]): string | null {
  const told = takeOvers.map((takeOver) => ` ${takeOverWords(takeOver)}`).join('');
  switch (trouble) {
    case 'stale':
    case 'offline':
      return `Connected again: you see the cluster as it is now.${told}`;
    case 'silent':
      return `All shards answer again.${told}`;
    case 'elsewhere':
      return 'The gateway of this page answers again.';
    case 'connecting':
    case 'other_version':
      return null;
  }
}
