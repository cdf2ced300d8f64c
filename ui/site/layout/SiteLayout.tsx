// The layout around every page: skip link, header, the page, footer, and notices that appear on any page.
import { AnnouncerProvider, SkipLink, ToastProvider } from '@claret/ui/kit';
import { useEffect, useRef, type ReactNode } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { CostFooter } from '../cost/CostFooter.tsx';
import { UnusualMode } from '../cost/UnusualMode.tsx';
import { ConnectionNotice, type ConnectionNoticeProps } from './ConnectionNotice.tsx';
import styles from './SiteLayout.module.css';

export interface SiteLayoutProps {
  header: ReactNode;
  /** shown above the page's costs */
  footer: ReactNode;
  connection: ConnectionNoticeProps;
  /** further elements: beside the page, or without a place in the layout, such as notices as toasts */
  children?: ReactNode;
  /** the site's own classes, which arrange these elements */
  look: Record<'layout' | 'main' | 'foot', string | undefined>;
}

// Toasts contain links, so they are rendered inside the router.
export function SiteLayout(props: SiteLayoutProps) {
  return (
    <AnnouncerProvider>
      <ToastProvider>
        <LayoutContent {...props} />
      </ToastProvider>
    </AnnouncerProvider>
  );
}

function LayoutContent({ header, footer, connection, children, look }: SiteLayoutProps) {
  const main = useRef<HTMLElement>(null);
  const navigation = useNavigation();
  useFocusOnNewPage(main);
  return (
    <div className={look.layout}>
      <SkipLink />
      {header}
      {navigation.state !== 'idle' && <div className={styles.progress} aria-hidden="true" />}
      <ConnectionNotice {...connection} />
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

/** A new path is a new page: the focus starts at its top, as after a page load. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}
