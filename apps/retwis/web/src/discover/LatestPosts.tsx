import { EmptyState } from '@claret/ui/kit';
import { Feather } from 'lucide-react';
import { LiveEntryList } from '../posts/EntryList.tsx';

/** The newest posts of everybody. */
export function LatestPosts() {
  return <LiveEntryList list="latest" label="Latest posts" empty={<NothingYet />} />;
}

function NothingYet() {
  return (
    <EmptyState icon={<Feather size={26} />} title="Nobody has posted yet">
      Whatever anybody posts stands here the moment it is posted. Somebody has to begin.
    </EmptyState>
  );
}
