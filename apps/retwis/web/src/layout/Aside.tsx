import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { AboutPanel } from '../discover/AboutPanel.tsx';
import { NewestPeoplePanel } from '../discover/NewestPeoplePanel.tsx';
import { TrendingPanel } from '../discover/TrendingPanel.tsx';
import styles from './Aside.module.css';
import { useMedia } from './useMedia.ts';

/** as in Layout.module.css: from this width on there is a third column */
const ROOM = '(min-width: 78.01rem)';

/** Trending posts and new people beside the page: only in a third column, and not on the page about them. */
export function Aside() {
  const hasRoom = useMedia(ROOM);
  const { pathname } = useLocation();
  if (!hasRoom) return null;
  return (
    <aside className={styles.aside} aria-label="What’s happening">
      {pathname === PAGE.discover() ? (
        <AboutPanel />
      ) : (
        <>
          <TrendingPanel />
          <NewestPeoplePanel />
        </>
      )}
    </aside>
  );
}
