import { classes } from './classes.ts';
import styles from './ConnectionState.module.css';
import type { ConnectionState as State } from './live/eventStream.ts';

const WORDS: Record<State, { label: string; meaning: string }> = {
  connecting: { label: 'Connecting', meaning: 'Waiting for live updates' },
  live: { label: 'Live', meaning: 'What you see changes as it happens' },
  stale: { label: 'Reconnecting', meaning: 'The line was lost; what you see may be a little old' },
  offline: { label: 'Offline', meaning: 'No network; what you see is from before' },
};

/** How the line to the server is, in shape and word. */
export function ConnectionState({ state, className }: { state: State; className?: string }) {
  return (
    <span role="status" className={classes(styles.state, styles[state], className)} title={WORDS[state].meaning}>
      <span className={styles.dot} aria-hidden="true" />
      {WORDS[state].label}
    </span>
  );
}
