import { Brand, ConnectionState, ThemeSwitch } from '@claret/ui/kit';
import { AccountMenu, AppLink, AppNavLink } from '@claret/ui/site';
import { Gavel, Inbox, Tag, UserRound } from 'lucide-react';
import { PAGE } from '../api/paths.ts';
import { NoticesMenu } from '../inbox/NoticesMenu.tsx';
import { useConnection } from '../live/live.ts';
import { useSession } from '../session.ts';
import styles from './Header.module.css';
import { SearchBox } from './SearchBox.tsx';

export function Header() {
  const { user } = useSession();
  const connection = useConnection();
  const links = user && [
    { to: PAGE.me, label: 'My bids and sales', Icon: Gavel },
    { to: PAGE.inbox, label: 'Notifications', Icon: Inbox },
    { to: PAGE.user(user.id), label: 'My public page', Icon: UserRound },
    { to: PAGE.sell, label: 'Sell something', Icon: Tag },
  ];
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <AppLink to={PAGE.home} className={styles.brand} aria-label="Claret Auctions, home">
          <Brand size={30} />
          <span>
            Claret <small>Auctions</small>
          </span>
        </AppLink>
        <SearchBox className={styles.search} />
        <nav className={styles.nav} aria-label="Main">
          <AppNavLink to={PAGE.browse()}>Browse</AppNavLink>
          <AppNavLink to={PAGE.sell}>Sell</AppNavLink>
        </nav>
        <ConnectionState state={connection} className={styles.line} />
        <ThemeSwitch />
        <NoticesMenu />
        <AccountMenu name={user?.nickname ?? null} links={links ?? []} goodbye="Your bids still count. See you soon." />
      </div>
    </header>
  );
}
