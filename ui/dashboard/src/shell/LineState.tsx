// The state of the connection to the cluster, as a shape and in words; also while a recording is shown.
import { classes } from '@claret/ui/kit';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { focusView } from '../components/views.ts';
import { useFeed } from '../feed/useFeed.tsx';
import { PATH } from '../paths.ts';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { standbyCount } from '../views/owners/ownerWords.ts';
import styles from './LineState.module.css';
import { lineWords } from './lineWords.ts';

export function LineState() {
  const { look, label, meaning } = lineWords(useFeed());
  const { shards, silent, missed, replication } = useTelemetry((store) => ({
    shards: store.shards,
    silent: store.silent.length,
    missed: store.missed,
    replication: store.replication.newest,
  }));
  const standbys = replication && standbyCount(replication);
  const more: ReactNode[] = [
    shards > 0 && `${shards} ${shards === 1 ? 'shard' : 'shards'}`,
    standbys && <StandbysLink key="standbys" words={standbys.words} />,
    silent > 0 && `${silent} silent`,
    missed > 0 && `${missed} ${missed === 1 ? 'frame' : 'frames'} missed`,
  ].filter(Boolean);
  return (
    <span className={classes(styles.state, styles[look])} title={meaning}>
      <span role="status">
        <span className={styles.dot} aria-hidden="true" />
        {label}
      </span>
      {more.length > 0 && (
        <span className={classes(styles.more, (silent > 0 || missed > 0 || standbys?.isWarning) && styles.warn)}>
          {more.map((piece, place) => (
            <Fragment key={place}>
              {place > 0 && ', '}
              {piece}
            </Fragment>
          ))}
        </span>
      )}
    </span>
  );
}

/** To the panel that shows them. */
function StandbysLink({ words }: { words: string }) {
  return (
    <Link to={{ pathname: PATH.explore, hash: '#owners' }} className={styles.link} title="Show where" onClick={() => focusView('owners')}>
      {words}
    </Link>
  );
}
