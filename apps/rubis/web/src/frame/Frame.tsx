// What stands around every page: skip link, header, the page, footer, and the notices that reach one anywhere.
import { AnnouncerProvider, ToastProvider } from '@claret/ui/kit';
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { Footer } from './Footer.tsx';
import styles from './Frame.module.css';
import { Header } from './Header.tsx';
import { useNoticeToasts } from './useNoticeToasts.tsx';

// Toasts have links in them, so they live inside the router.
export function Frame() {
  return (
    <AnnouncerProvider>
      <ToastProvider>
        <FramedPage />
      </ToastProvider>
    </AnnouncerProvider>
  );
}

function FramedPage() {
  const main = useRef<HTMLElement>(null);
  const navigation = useNavigation();
  useNoticeToasts();
  useFocusOnNewPage(main);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Header />
      {navigation.state !== 'idle' && <div className={styles.progress} aria-hidden="true" />}
      <main ref={main} id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Footer />
      <ScrollRestoration />
    </div>
  );
}

/** A new address is a new page: the keyboard starts at its top, as after a load. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}
