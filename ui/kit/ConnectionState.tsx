import { classes } from './classes.ts';
import styles from './ConnectionState.module.css';
import type { ConnectionState as State } from './live/eventStream.ts';

const WORDS: Record<State, { label: string; meaning: string }> = {
  connecting: { label: 'Connecting', meaning: 'Waiting for live updates' },
  live: { label: 'Live', meaning: 'This page updates by itself' },
  stale: { label: 'Reconnecting', meaning: 'Connection lost. This page may be out of date.' },
  offline: { label: 'Offline', meaning: 'You’re offline. This page may be out of date.' },
};

/** The state of the connection, as an icon and a word. */
export function ConnectionState({ state, className }: { state: State; className?: string }) {
  return (
    <span role="status" className={classes(styles.state, styles[state], className)} title={WORDS[state].meaning}>
      <span className={styles.dot} aria-hidden="true" />
      {WORDS[state].label}
    </span>
  );
}
