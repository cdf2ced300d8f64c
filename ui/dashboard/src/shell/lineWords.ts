// How the line to the cluster is, in words.
import type { FeedView } from '../feed/feed.ts';

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
