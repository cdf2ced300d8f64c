import { AppLink, ProblemState } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { BrowseNav } from '../browse/BrowseNav.tsx';
import styles from '../browse/Index.module.css';
import { stateName } from '../browse/stateNames.ts';
import { ListWaiting } from '../components/Skeletons.tsx';

/** All regions, by state. */
export default function RegionsPage() {
  const { data, problem, reload } = useQuery<api.Catalogue>(API.catalogue);
  return (
    <>
      <title>Regions · Claret Auctions</title>
      <BrowseNav />
      <div className={styles.head}>
        <h1>Regions</h1>
        <p className={styles.lead}>See what’s for sale near you, or wherever you’re headed.</p>
      </div>
      {data && <States regions={data.regions} />}
      {!data && (problem ? <ProblemState problem={problem} onRetry={reload} /> : <ListWaiting label="Loading regions" />)}
    </>
  );
}

function States({ regions }: { regions: readonly api.Region[] }) {
  return (
    <ul className={styles.states}>
      {[...Map.groupBy(regions, ({ state }) => state)].sort(byName).map(([state, inState]) => (
        <li key={state} className={styles.state}>
          <h2 className={styles.groupName}>{stateName(state)}</h2>
          <ul className={styles.links}>
            {inState.map(({ id, name }) => (
              <li key={id}>
                <AppLink to={PAGE.region(id)} className={styles.link}>
                  {name}
                </AppLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => stateName(one).localeCompare(stateName(other));
