import { Brand, Button, ThemeSwitch } from '@claret/ui/kit';
import { Compass } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { PATH } from '../paths.ts';
import { RecordingButtons } from '../recording/RecordingButtons.tsx';
import { LineState } from './LineState.tsx';
import styles from './TopBar.module.css';

export function TopBar() {
  return (
    <header className={styles.bar}>
      <Link to={PATH.instrument} className={styles.brand} aria-label="Claret Dashboard, cluster view">
        <Brand size={26} />
        <span className={styles.name}>
          Claret <small>Dashboard</small>
        </span>
      </Link>
      <nav className={styles.nav} aria-label="Main">
        <NavLink to={PATH.instrument} end>
          Cluster
        </NavLink>
        <NavLink to={PATH.types}>Data types</NavLink>
      </nav>
      <Button asChild size="small" className={styles.tour}>
        <Link to={PATH.tour}>
          <Compass size={16} aria-hidden="true" /> <span className={styles.name}>Take the tour</span>
          <span className={styles.short} aria-hidden="true">
            Tour
          </span>
        </Link>
      </Button>
      <div className={styles.tools}>
        <LineState />
        <RecordingButtons nameClass={styles.name} />
        <ThemeSwitch />
      </div>
    </header>
  );
}
