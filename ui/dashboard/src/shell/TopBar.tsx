import { Brand, ThemeSwitch } from '@claret/ui/kit';
import { Link, NavLink } from 'react-router';
import { PATH } from '../paths.ts';
import styles from './TopBar.module.css';

export function TopBar() {
  return (
    <header className={styles.bar}>
      <Link to={PATH.instrument} className={styles.brand} aria-label="Claret Dashboard, live view">
        <Brand size={26} />
        <span>
          Claret <small>Dashboard</small>
        </span>
      </Link>
      <nav className={styles.nav} aria-label="Main">
        <NavLink to={PATH.instrument} end>
          Live
        </NavLink>
        <NavLink to={PATH.types}>Data types</NavLink>
      </nav>
      <div className={styles.tools}>
        <ThemeSwitch />
      </div>
    </header>
  );
}
