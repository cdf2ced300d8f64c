// The layout around every page: the rail with the navigation, the aside at the right if there is room, and notices about the viewer's own
// posts. On a phone the rail is a bar at the top and one at the bottom.
import { SiteLayout } from '@claret/ui/site';
import { Aside } from './Aside.tsx';
import styles from './Layout.module.css';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { PageFoot } from './PageFoot.tsx';
import { PostNotes } from './PostNotes.tsx';
import { Rail } from './Rail.tsx';

export function Layout() {
  return (
    <SiteLayout header={<Rail />} footer={<PageFoot />} look={{ layout: styles.layout, main: styles.main, foot: styles.foot }}>
      <Aside />
      <ConnectionNotice />
      <PostNotes />
    </SiteLayout>
  );
}
