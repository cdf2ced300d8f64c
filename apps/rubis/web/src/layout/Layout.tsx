import { SiteLayout } from '@claret/ui/site';
import { NoticeToasts } from '../inbox/NoticeToasts.tsx';
import { useTrouble } from '../live/live.ts';
import { Footer } from './Footer.tsx';
import styles from './Layout.module.css';
import { Header } from './Header.tsx';

/** shown while the site, or a part of it, cannot be reached */
const MEANWHILE = 'Prices may be out of date, and bids may fail.';

/** The layout around every page of this site. */
export function Layout() {
  return (
    <SiteLayout
      header={<Header />}
      footer={<Footer />}
      connection={{ trouble: useTrouble(), meanwhile: MEANWHILE }}
      look={{ layout: styles.layout, main: styles.main, foot: undefined }}
    >
      <NoticeToasts />
    </SiteLayout>
  );
}
