// A panel: one question, one line that explains the picture, the picture, and the same data as a table. An empty panel says why it
// is empty in place of the picture. A picture that does not show the present is marked as such.
import { Button, classes, useScrollStop } from '@claret/ui/kit';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useFeed } from '../feed/useFeed.tsx';
import { isUnwatched } from '../store/watched.ts';
import { useFollowing, useTelemetry } from '../time/useTimeAxis.tsx';
import styles from './Panel.module.css';
import type { ViewId } from './views.ts';

export interface PanelProps {
  /** element id on the page, for `focusView` */
  id?: ViewId;
  /** a short question or a noun: "Who blocks whom?" */
  title: ReactNode;
  /** the title as plain text, if `title` is not a string */
  name?: string;
  /** one line for newcomers: what is drawn, in which units */
  about: ReactNode;
  /** `about` is short enough to stand beside the title */
  isAboutBeside?: boolean;
  /** beside the title: a choice, a filter, a count */
  tools?: ReactNode;
  /** the same numbers as a table (the kit's Table); called only while it is shown */
  table?: () => ReactNode;
  /** if there is nothing to show: why, and what would change that; otherwise null */
  empty?: ReactNode | null;
  /** the panel is part of a larger surface, and as high as its content */
  isFlat?: boolean;
  children: ReactNode;
}

export const NO_TELEMETRY = 'No telemetry yet.';
const UNKNOWN = 'Nothing is known of this time: no dashboard was open, or its telemetry did not arrive.';

export function Panel({ id, title, name, about, isAboutBeside = false, tools, table, empty, isFlat = false, children }: PanelProps) {
  const [isTable, setIsTable] = useState(false);
  const titleId = useId();
  const scrollStop = useScrollStop();
  const isEmpty = empty !== null && empty !== undefined;
  const isUnknown = useTelemetry(({ totals }, span) => isUnwatched(totals, span));
  return (
    <section id={id} tabIndex={-1} className={classes(styles.panel, isFlat && styles.flat)} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <span id={titleId}>{title}</span> <PictureState />
        </h2>
        <div className={styles.tools}>
          {tools}
          {table && (
            <Button
              look="quiet"
              size="small"
              className={styles.switch}
              aria-pressed={isTable}
              aria-label={`${name ?? String(title)}: as a table`}
              title={isTable ? 'Show as a chart' : 'Show as a table'}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? <ChartNoAxesColumn size={16} aria-hidden="true" /> : <Table2 size={16} aria-hidden="true" />}
            </Button>
          )}
        </div>
        <p className={classes(styles.about, isAboutBeside && styles.beside)}>{about}</p>
      </div>
      <div className={styles.body} {...scrollStop}>
        {isEmpty ? <p className={styles.empty}>{isUnknown ? UNKNOWN : empty}</p> : isTable && table ? table() : children}
      </div>
    </section>
  );
}

/** Empty if the picture shows the present. */
function PictureState() {
  const { state } = useFeed();
  const isFollowing = useFollowing();
  const words =
    state === 'recording'
      ? isFollowing
        ? 'recording'
        : 'recording, paused'
      : state !== 'live' && state !== 'connecting'
        ? 'old'
        : isFollowing
          ? null
          : 'paused';
  return words && <span className={classes(styles.state, words === 'old' && styles.old)}>{words}</span>;
}
