import { EmptyState } from '@claret/ui/kit';
import { Users } from 'lucide-react';
import { API } from '../api/paths.ts';
import { PeopleList } from '../people/PeopleList.tsx';

/** The newest people. */
export function NewestPeople() {
  return (
    <PeopleList
      path={API.people}
      label="New people"
      empty={
        <EmptyState icon={<Users size={26} />} title="No one has joined yet">
          New members appear here.
        </EmptyState>
      }
    />
  );
}
