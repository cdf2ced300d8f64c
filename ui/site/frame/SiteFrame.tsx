// What stands around every page: skip link, header, the page, footer, and what reaches one anywhere.
import { AnnouncerProvider, SkipLink, ToastProvider } from '@claret/ui/kit';
import { useEffect, useRef, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { CostFooter } from '../cost/CostFooter.tsx';
import { UnusualMode } from '../cost/UnusualMode.tsx';
import { BusyNotice } from './BusyNotice.tsx';
import styles from './SiteFrame.module.css';

export interface SiteFrameProps {
  header: ReactNode;
  /** before what the page cost */
  footer: ReactNode;
  /** stands elsewhere: beside the page, or nowhere here, such as news as toasts */
  children?: ReactNode;
  /** The site's own classes: how it arranges these parts. */
  look: Record<'frame' | 'main' | 'foot', string | undefined>;
}

// Toasts have links in them, so they live inside the router.
export function SiteFrame(props: SiteFrameProps) {
  return (
    <AnnouncerProvider>
      <ToastProvider>
        <FramedPage {...props} />
      </ToastProvider>
    </AnnouncerProvider>
  );
}

function FramedPage({ header, footer, children, look }: SiteFrameProps) {
  const main = useRef<HTMLElement>(null);
  const navigation = useNavigation();
  useFocusOnNewPage(main);
  return (
    <div className={look.frame}>
      <SkipLink />
      {header}
      {navigation.state !== 'idle' && <div className={styles.progress} aria-hidden="true" />}
      <BusyNotice />
      <main ref={main} id="main" tabIndex={-1} className={look.main}>
        <Outlet />
      </main>
      <footer className={look.foot}>
        {footer}
        <UnusualMode />
        <CostFooter />
      </footer>
      {children}
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
