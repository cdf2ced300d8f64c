import { useDelayed } from '@claret/ui/kit';
import { CloudOff, WifiOff } from 'lucide-react';
import { useConnection } from '../live/useLive.ts';
import { useSession } from '../session.ts';
import styles from './ConnectionNotice.module.css';

/** shorter interruptions are not shown */
const HICCUP_MS = 3_000;

/** A notice over the page that its content may be stale. */
export function ConnectionNotice() {
  const connection = useConnection();
  const { isKnown } = useSession();
  if (connection === 'offline') return <Trouble key="offline" isOffline />;
  if (connection === 'stale' || !isKnown) return <Trouble key="stale" />;
  return null;
}

function Trouble({ isOffline = false }: { isOffline?: boolean }) {
  const isLasting = useDelayed(isOffline ? 0 : HICCUP_MS);
  if (!isLasting) return null;
  const Icon = isOffline ? WifiOff : CloudOff;
  return (
    <p className={styles.trouble} role="status">
      <Icon size={18} aria-hidden="true" />
      <span>{isOffline ? 'You’re offline. This page may be out of date.' : 'The site can’t be reached. Trying again…'}</span>
    </p>
  );
}
