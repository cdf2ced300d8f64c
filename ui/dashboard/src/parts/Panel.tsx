// A panel: one question, one line that explains the picture, the picture, and the same as a table for who asks for it.
// Where there is nothing to show it says why, in place of the picture; a picture that does not show what happens now is
// marked as such.
import { Button, classes, useScrollStop } from '@claret/ui/kit';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useFeed } from '../feed/useFeed.tsx';
import { isUnwatched } from '../store/watched.ts';
import { useFollowing, useTelemetry } from '../time/useTimeAxis.tsx';
import styles from './Panel.module.css';

export interface PanelProps {
  /** a question: "Who blocks whom?" */
  title: string;
  /** one line for who sees it for the first time: what is drawn, in which units */
  about: ReactNode;
  /** beside the title: a choice, a filter, a count */
  tools?: ReactNode;
  /** the same numbers as a table (the kit's Table); called only while it is shown */
  table?: () => ReactNode;
  /** where there is nothing to show: why, and what would change that; else null */
  empty?: ReactNode | null;
  className?: string;
  children: ReactNode;
}

const UNKNOWN = 'Not known: nobody watched at this time, or what was told did not reach this page.';

export function Panel({ title, about, tools, table, empty, className, children }: PanelProps) {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const scrollStop = useScrollStop();
  const isEmpty = empty !== null && empty !== undefined;
  const isUnknown = useTelemetry(({ totals }, span) => isUnwatched(totals, span));
  return (
    <section className={classes(styles.panel, className)} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <span id={id}>{title}</span> <PictureState />
        </h2>
        <div className={styles.tools}>
          {tools}
          {table && (
            <Button
              look="quiet"
              size="small"
              className={styles.switch}
              aria-pressed={isTable}
              aria-label={`${title} As a table`}
              title={isTable ? 'Show the picture' : 'Show as a table'}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? <ChartNoAxesColumn size={16} aria-hidden="true" /> : <Table2 size={16} aria-hidden="true" />}
            </Button>
          )}
        </div>
        <p className={styles.about}>{about}</p>
      </div>
      <div className={styles.body} {...scrollStop}>
        {isEmpty ? <p className={styles.empty}>{isUnknown ? UNKNOWN : empty}</p> : isTable && table ? table() : children}
      </div>
    </section>
  );
}

/** Nothing where the picture is of now. */
function PictureState() {
  const { state } = useFeed();
  const isFollowing = useFollowing();
  const words =
    state === 'recording' ? (isFollowing ? 'recording' : 'recording, paused')
    : state !== 'live' && state !== 'connecting' ? 'old'
    : isFollowing ? null : 'paused';
  return words && <span className={classes(styles.state, words === 'old' && styles.old)}>{words}</span>;
}
