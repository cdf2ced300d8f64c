import { ProblemState, usePages } from '@claret/ui/site';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { MoreAtEnd } from '../parts/MoreAtEnd.tsx';
import styles from './PeopleList.module.css';
import { PeopleWaiting } from './PeopleWaiting.tsx';
import { PersonRow } from './PersonRow.tsx';

export interface PeopleListProps {
  /** The server's path of the list. */
  path: string;
  label: string;
  /** Shown when there is nobody. */
  empty: ReactNode;
}

/** Each person with the time of the answer they came with. */
const rowsOf = ({ people, server_time_ms }: api.PeoplePage) => people.map((person) => ({ person, read_at_ms: server_time_ms }));

/** People, more as one reaches the end. Give it `key={path}`. */
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
