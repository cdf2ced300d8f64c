// How the line to the cluster is, in words.
import { TELEMETRY_VERSION } from '../../../telemetry/frame.ts';
import type { FeedView } from '../feed/feed.ts';
import type { LiveStatus } from '../feed/liveFeed.ts';

interface Words {
  look: 'live' | 'waiting' | 'bad' | 'recording';
  label: string;
  meaning: string;
}

const TOO_MANY = 503;

export function lineWords({ source, live }: Pick<FeedView, 'source' | 'live'>): Words {
  if (source === 'recording') return { look: 'recording', label: 'Recording', meaning: 'What you see was recorded' };
  switch (live.state) {
    case 'live':
      return { look: 'live', label: 'Live', meaning: 'What you see happens now' };
    case 'stale':
      return live.behind_s > 0
        ? { look: 'waiting', label: `${live.behind_s} s behind`, meaning: 'The line is too slow; what you see is a little old' }
        : { look: 'waiting', label: 'Reconnecting', meaning: 'The line was lost; what you see is old' };
    case 'offline':
      return { look: 'bad', label: 'Offline', meaning: 'No network; what you see is old' };
    case 'other_version':
      return { look: 'bad', label: 'Other version', meaning: 'The cluster speaks another version than this page: load the page again' };
    case 'connecting':
      return live.refusal === TOO_MANY
        ? { look: 'bad', label: 'Full', meaning: 'As many look at this cluster as it lets; trying again' }
        : { look: 'waiting', label: 'Connecting', meaning: 'Waiting for the cluster' };
  }
}

/** The same in a sentence or two. `until`: the time of the newest that is known. */
export function bannerWords({ state, behind_s, refusal, otherVersion }: LiveStatus, until: string | null): string {
  const known = until === null ? '' : ` What you see ends at ${until}.`;
  switch (state) {
    case 'connecting':
      return refusal === TOO_MANY
        ? 'As many pages look at this cluster as it lets. This one tries again by itself.'
        : 'No cluster answers here yet. This page goes on trying; “Open” shows a recording meanwhile.';
    case 'stale':
      return behind_s > 0
        ? `The line, or this computer, does not keep up: what you see is ${behind_s} s old.`
        : `The line to the cluster was lost, and is tried again.${known}`;
    case 'offline':
      return `This computer has no network.${known} It goes on as soon as there is one.`;
    case 'other_version':
      return `The cluster was renewed: it speaks version ${otherVersion ?? '?'} of the telemetry, this page version ${TELEMETRY_VERSION}.`;
    case 'live':
      return '';
  }
}
