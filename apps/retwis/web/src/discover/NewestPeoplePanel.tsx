import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { PersonRow } from '../people/PersonRow.tsx';
import { useSession } from '../session.ts';
import styles from './Panel.module.css';
import { useHeld } from './useHeld.ts';

const SHOWN = 4;

/** The newest people, beside every page. */
export function NewestPeoplePanel() {
  const { data } = useQuery<api.PeoplePage>(API.people);
  const { shown, handlers } = useHeld(data);
  const { user: viewer } = useSession();
  const others = shown?.people.filter(({ id }) => id !== viewer?.id) ?? [];
  if (!shown || others.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="panel-people" {...handlers}>
      <h2 id="panel-people">New people</h2>
      <ul className={styles.list}>
        {others.slice(0, SHOWN).map((person) => (
          <PersonRow key={person.id} person={person} read_at_ms={shown.server_time_ms} isCompact />
        ))}
      </ul>
      <AppLink to={PAGE.discover('people')} className={styles.more}>
        Show more
      </AppLink>
    </section>
  );
}
