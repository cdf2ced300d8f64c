import { Brand, ConnectionState, ThemeSwitch } from '@claret/ui/kit';
import { AccountMenu, AppLink, AppNavLink } from '@claret/ui/site';
import { Compass, House, LogIn, UserPlus, UserRound, type LucideIcon } from 'lucide-react';
import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { ComposeButton } from '../compose/ComposeButton.tsx';
import { useConnection } from '../live/useLive.ts';
import { newsCount, useListNews } from '../posts/useListNews.ts';
import { useSession } from '../session.ts';
import styles from './Rail.module.css';

interface NavItem {
  to: string;
  label: string;
  Icon: LucideIcon;
  /** the number of new posts, abbreviated */
  news?: string | null;
}

const DISCOVER: NavItem = { to: PAGE.discover(), label: 'Discover', Icon: Compass };
const LOGIN_ITEMS: readonly NavItem[] = [
  { to: PAGE.login(), label: 'Log in', Icon: LogIn },
  { to: PAGE.register(), label: 'Sign up', Icon: UserPlus },
];

export function Rail() {
  const { user, isKnown } = useSession();
  const connection = useConnection();
  const news = useListNews(user ? 'timeline' : null);
  const home: NavItem = { to: PAGE.home, label: 'Home', Icon: House, news: news.count > 0 ? newsCount(news) : null };
  const profile: NavItem | null = user && { to: PAGE.user(user.username), label: 'Profile', Icon: UserRound };
  const own = profile ? [profile] : isKnown ? LOGIN_ITEMS : [];
  return (
    <header className={styles.rail}>
      <AppLink to={PAGE.home} className={styles.brand} aria-label="Claret Timelines, home">
        <Brand size={32} />
        <span>
          Claret <small>Timelines</small>
        </span>
      </AppLink>
      <nav className={styles.nav} aria-label="Main">
        {[home, DISCOVER, ...own].map((way) => (
          <NavItemLink key={way.to} way={way} />
        ))}
      </nav>
      {user && <ComposeButton writer={user} className={styles.compose} />}
      <div className={styles.tools}>
        <ConnectionState state={connection} className={styles.line} />
        <ThemeSwitch />
        {user && profile && (
          <div className={styles.account}>
            <AccountMenu name={user.username} links={[profile]} goodbye="See you soon." />
          </div>
        )}
      </div>
    </header>
  );
}

/** A link of the navigation; on its own page it scrolls to the top. */
function NavItemLink({ way: { to, label, Icon, news } }: { way: NavItem }) {
  const { pathname } = useLocation();
  return (
    <AppNavLink to={to} end={to === PAGE.home} className={styles.way!} onClick={() => pathname === to && window.scrollTo({ top: 0 })}>
      <span className={styles.icon}>
        <Icon size={24} aria-hidden="true" />
        {news && <span className={styles.dot} aria-hidden="true" />}
      </span>
      <span className={styles.label}>{label}</span>
      {news && <span className="visually-hidden">{`, ${news} new`}</span>}
    </AppNavLink>
  );
}
