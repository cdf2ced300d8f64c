// The layout around every page: skip link, top bar, the page.
import { AnnouncerProvider, SkipLink, ToastProvider } from '@claret/ui/kit';
import { Outlet, ScrollRestoration } from 'react-router';
import { RecordingBar } from '../recording/RecordingBar.tsx';
import { LineBanner } from './LineBanner.tsx';
import styles from './Shell.module.css';
import { TopBar } from './TopBar.tsx';

export function Shell() {
  return (
    <AnnouncerProvider>
      <ToastProvider>
        <div className={styles.shell}>
          <SkipLink />
          <div>
            <TopBar />
            <RecordingBar />
            <LineBanner />
          </div>
          <main id="main" tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
          <ScrollRestoration />
        </div>
      </ToastProvider>
    </AnnouncerProvider>
  );
}
