import { EmptyState } from '@claret/ui/kit';
import { Feather } from 'lucide-react';
import { LiveEntryList } from '../posts/EntryList.tsx';

/** The newest posts of all people. */
export function LatestPosts() {
  return <LiveEntryList list="latest" label="Latest posts" empty={<NothingYet />} />;
}

function NothingYet() {
  return (
    <EmptyState icon={<Feather size={26} />} title="No posts yet">
      New posts from everyone appear here the moment they’re written.
    </EmptyState>
  );
}
