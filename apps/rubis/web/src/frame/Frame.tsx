import { SiteFrame } from '@claret/ui/site';
import { NoticeToasts } from '../inbox/NoticeToasts.tsx';
import { Footer } from './Footer.tsx';
import styles from './Frame.module.css';
import { Header } from './Header.tsx';

/** What stands around every page of this site. */
export function Frame() {
  return (
    <SiteFrame header={<Header />} footer={<Footer />} look={{ frame: styles.frame, main: styles.main, foot: undefined }}>
      <NoticeToasts />
    </SiteFrame>
  );
}
