import { SiteLayout } from '@claret/ui/site';
import { NoticeToasts } from '../inbox/NoticeToasts.tsx';
import { Footer } from './Footer.tsx';
import styles from './Layout.module.css';
import { Header } from './Header.tsx';

/** The layout around every page of this site. */
export function Layout() {
  return (
    <SiteLayout header={<Header />} footer={<Footer />} look={{ layout: styles.layout, main: styles.main, foot: undefined }}>
      <NoticeToasts />
    </SiteLayout>
  );
}
