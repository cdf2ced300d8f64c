import { ProblemState, usePages } from '@claret/ui/site';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { MoreAtEnd } from '../components/MoreAtEnd.tsx';
import styles from './PeopleList.module.css';
import { PeopleWaiting } from './PeopleWaiting.tsx';
import { PersonRow } from './PersonRow.tsx';

export interface PeopleListProps {
  /** the API path of the list */
  path: string;
  label: string;
  /** shown if the list is empty */
  empty: ReactNode;
}

/** each person with the time of the answer that contained them */
const rowsOf = ({ people, server_time_ms }: api.PeoplePage) => people.map((person) => ({ person, read_at_ms: server_time_ms }));

/** A list of people that loads more near its end. REQUIRES: `key={path}`. */
export function PeopleList({ path, label, empty }: PeopleListProps) {
  const list = usePages(path, rowsOf, ({ person }) => person.id);
  if (list.items === null) {
    if (list.problem) return <ProblemState problem={list.problem} onRetry={() => void list.reload()} />;
    return <PeopleWaiting />;
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {list.items.map(({ person, read_at_ms }) => (
          <PersonRow key={person.id} person={person} read_at_ms={read_at_ms} />
        ))}
      </ul>
      <MoreAtEnd list={list} />
    </>
  );
}
