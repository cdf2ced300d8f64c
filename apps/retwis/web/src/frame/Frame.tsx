// What stands around every page: the rail with the ways to go, what is going on at the right where there is room, and
// what one hears anywhere of one's own posts. On a phone the rail is a bar at the top and one at the bottom.
import { SiteFrame } from '@claret/ui/site';
import { Aside } from './Aside.tsx';
import styles from './Frame.module.css';
import { LineTrouble } from './LineTrouble.tsx';
import { PageFoot } from './PageFoot.tsx';
import { PostNotes } from './PostNotes.tsx';
import { Rail } from './Rail.tsx';

export function Frame() {
  return (
    <SiteFrame header={<Rail />} footer={<PageFoot />} look={{ frame: styles.frame, main: styles.main, foot: styles.foot }}>
      <Aside />
      <LineTrouble />
      <PostNotes />
    </SiteFrame>
  );
}
