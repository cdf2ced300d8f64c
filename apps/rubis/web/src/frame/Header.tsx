import { ConnectionState, ThemeSwitch } from '@claret/ui/kit';
import { NavLink } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { useConnection } from '../live/useLive.ts';
import { prefetch } from '../routes.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { AppLink } from './AppLink.tsx';
import { Brand } from './Brand.tsx';
import styles from './Header.module.css';
import { NoticesMenu } from './NoticesMenu.tsx';
import { SearchBox } from './SearchBox.tsx';

export function Header() {
  const connection = useConnection();
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <AppLink to={PAGE.home} className={styles.brand} aria-label="Claret Auctions, home">
          <Brand size={30} />
          Claret <small>Auctions</small>
        </AppLink>
        <SearchBox className={styles.search} />
        <nav className={styles.nav} aria-label="Main">
          {[
            [PAGE.browse(), 'Browse'],
            [PAGE.sell, 'Sell'],
          ].map(([to, label]) => (
            <NavLink key={to} to={to!} onPointerEnter={() => prefetch(to!)}>
              {label}
            </NavLink>
          ))}
        </nav>
        <ConnectionState state={connection} className={styles.line} />
        <ThemeSwitch />
        <NoticesMenu />
        <AccountMenu className={styles.account} />
      </div>
    </header>
  );
}
