import { EmptyState } from '@claret/ui/kit';
import { Users } from 'lucide-react';
import { API } from '../api/paths.ts';
import { PeopleList } from '../people/PeopleList.tsx';

/** Who joined last. */
export function NewestPeople() {
  return (
    <PeopleList
      path={API.people}
      label="People who joined last"
      empty={
        <EmptyState icon={<Users size={26} />} title="Nobody is here yet">
          Somebody has to be the first. Whoever joins stands here.
        </EmptyState>
      }
    />
  );
}
