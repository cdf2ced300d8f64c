import { Tabs } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import { LatestPosts } from '../discover/LatestPosts.tsx';
import { NewestPeople } from '../discover/NewestPeople.tsx';
import { TrendingPosts } from '../discover/TrendingPosts.tsx';
import { useTab } from '../components/useTab.ts';
import styles from './DiscoverPage.module.css';

const TABS = ['trending', 'latest', 'people'] as const;
const TITLES = { trending: 'Trending now', latest: 'Latest posts', people: 'New people' };

export default function DiscoverPage() {
  const [tab, setTab] = useTab(TABS);
  return (
    <>
      <title>{`${TITLES[tab]} · Claret Timelines`}</title>
      <div className={styles.head}>
        <h1>Discover</h1>
        <p className={styles.lead}>
          What everyone is writing and reposting, as it happens.{' '}
          <AppLink to={PAGE.about} className={styles.link}>
            How this works
          </AppLink>
        </p>
      </div>
      <Tabs
        label="Discover"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'trending', label: 'Trending', content: <TrendingPosts /> },
          { value: 'latest', label: TITLES.latest, content: <LatestPosts /> },
          { value: 'people', label: TITLES.people, content: <NewestPeople /> },
        ]}
      />
    </>
  );
}
