import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { AboutPanel } from '../discover/AboutPanel.tsx';
import { NewestPeoplePanel } from '../discover/NewestPeoplePanel.tsx';
import { TrendingPanel } from '../discover/TrendingPanel.tsx';
import styles from './Aside.module.css';
import { useMedia } from './useMedia.ts';

/** As in Frame.module.css: from there on there is a third column. */
const ROOM = '(min-width: 78.01rem)';

/** What’s happening, beside the page: only where there is room, and not beside the page that is about just that. */
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
