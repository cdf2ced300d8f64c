import { Brand, ThemeSwitch } from '@claret/ui/kit';
import { Link, NavLink, useLocation } from 'react-router';
import { PATH } from '../paths.ts';
import { RecordingButtons } from '../recording/RecordingButtons.tsx';
import { LineState } from './LineState.tsx';
import styles from './TopBar.module.css';

export function TopBar() {
  const { pathname } = useLocation();
  return (
    <header className={styles.bar}>
      <Link to={PATH.story} className={styles.brand} aria-label="Claret Dashboard, first page">
        <Brand size={26} />
        <span className={styles.name}>
          Claret <small>Dashboard</small>
        </span>
      </Link>
      <nav className={styles.nav} aria-label="Main">
        <NavLink to={PATH.story} end>
          Story
        </NavLink>
        <NavLink to={PATH.explore}>Explore</NavLink>
        <NavLink to={PATH.types}>Data types</NavLink>
      </nav>
      <div className={styles.tools}>
        <LineState />
        {pathname === PATH.explore && <RecordingButtons nameClass={styles.name} />}
        <ThemeSwitch />
      </div>
    </header>
  );
}
