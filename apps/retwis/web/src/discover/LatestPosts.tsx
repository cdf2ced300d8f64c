import { EmptyState } from '@claret/ui/kit';
import { Feather } from 'lucide-react';
import { API } from '../api/paths.ts';
import { EntryList } from '../posts/EntryList.tsx';

/** The newest posts of everybody. */
export function LatestPosts() {
  return <EntryList path={API.latest} label="Latest posts" empty={<NothingYet />} />;
}

function NothingYet() {
  return (
    <EmptyState icon={<Feather size={26} />} title="Nobody has posted yet">
      Whatever anybody posts stands here the moment it is posted. Somebody has to begin.
    </EmptyState>
  );
}
