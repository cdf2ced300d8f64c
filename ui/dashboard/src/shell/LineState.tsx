// The state of the connection to the cluster, as a shape and in words; also while a recording is shown.
import { classes } from '@claret/ui/kit';
import { useFeed } from '../feed/useFeed.tsx';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import styles from './LineState.module.css';
import { lineWords } from './lineWords.ts';

export function LineState() {
  const { look, label, meaning } = lineWords(useFeed());
  const { shards, silent, missed } = useTelemetry((store) => ({ shards: store.shards, silent: store.silent.length, missed: store.missed }));
  const more = [
    shards > 0 && `${shards} ${shards === 1 ? 'shard' : 'shards'}`,
    silent > 0 && `${silent} silent`,
    missed > 0 && `${missed} ${missed === 1 ? 'frame' : 'frames'} missed`,
  ].filter(Boolean);
  return (
    <span className={classes(styles.state, styles[look])} title={meaning}>
      <span role="status">
        <span className={styles.dot} aria-hidden="true" />
        {label}
      </span>
      {more.length > 0 && <span className={classes(styles.more, (silent > 0 || missed > 0) && styles.warn)}>{more.join(', ')}</span>}
    </span>
  );
}
