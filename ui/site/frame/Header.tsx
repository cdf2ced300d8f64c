// Header: the site's name, its search if it has one, its main places, how the line is, the colours, and the site's own menus.
import { ConnectionState, ThemeSwitch, type ConnectionStateName } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import { DOOR } from '../api/addresses.ts';
import { useSite } from '../site.ts';
import { AppLink, AppNavLink } from './AppLink.tsx';
import { Brand } from './Brand.tsx';
import styles from './Header.module.css';

export interface SiteLink {
  to: string;
  label: string;
}

export interface HeaderProps {
  links: readonly SiteLink[];
  connection: ConnectionStateName;
  search?: ReactNode;
  /** at the end: the account's among them */
  menus: ReactNode;
}

export function Header({ links, connection, search, menus }: HeaderProps) {
  const { name } = useSite();
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <AppLink to={DOOR.home} className={styles.brand} aria-label={`Claret ${name}, home`}>
          <Brand size={30} />
          Claret <small>{name}</small>
        </AppLink>
        {search && <div className={styles.search}>{search}</div>}
        <nav className={styles.nav} aria-label="Main">
          {links.map(({ to, label }) => (
            <AppNavLink key={to} to={to} end={to === DOOR.home}>
              {label}
            </AppNavLink>
          ))}
        </nav>
        <ConnectionState state={connection} className={styles.line} />
        <ThemeSwitch />
        {menus}
      </div>
    </header>
  );
}
