// The layout around every page: the rail with the navigation, the aside at the right if there is room, and notices about the viewer's own
// posts. On a phone the rail is a bar at the top and one at the bottom.
import { SiteLayout } from '@claret/ui/site';
import { useTrouble } from '../live/useLive.ts';
import { Aside } from './Aside.tsx';
import styles from './Layout.module.css';
import { PageFoot } from './PageFoot.tsx';
import { PostNotes } from './PostNotes.tsx';
import { Rail } from './Rail.tsx';

/** shown while the site, or a part of it, cannot be reached */
const MEANWHILE = 'New posts may be missing, and posting may fail.';

export function Layout() {
  return (
    <SiteLayout
      header={<Rail />}
      footer={<PageFoot />}
      connection={{ trouble: useTrouble(), meanwhile: MEANWHILE }}
      look={{ layout: styles.layout, main: styles.main, foot: styles.foot }}
    >
      <Aside />
      <PostNotes />
    </SiteLayout>
  );
}
