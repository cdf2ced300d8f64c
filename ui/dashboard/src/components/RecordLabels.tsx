// The records' names beside their lanes or rows: buttons that highlight the record in all views.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { RecordLane } from '../store/telemetryStore.ts';
import { useGutter } from '../time/gutter.ts';
import styles from './RecordLabels.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

export interface RecordLabelsProps {
  lanes: readonly RecordLane[];
  /** CSS pixels from one label to the next */
  pitch: number;
  /** content of a second line */
  detail?: (lane: RecordLane) => ReactNode;
  /** content at the right end of the first line */
  value?: (lane: RecordLane) => ReactNode;
}

export function RecordLabels({ lanes, pitch, detail, value }: RecordLabelsProps) {
  const selected = useSelectedRecord();
  const { width } = useGutter();
  return (
    <ol className={styles.labels} style={{ width, fontSize: Math.min(13, pitch - 3) }} aria-label="Record names">
      {lanes.map((lane) => {
        const isSelected = lane.key === selected;
        return (
          <li key={lane.key} className={styles.place} style={{ height: pitch }}>
            <button
              type="button"
              className={classes(styles.label, isSelected && styles.selected)}
              aria-pressed={isSelected}
              title={`${lane.key}\n${lane.type}, shard ${lane.shard}\n${isSelected ? 'Click to stop highlighting it' : 'Click to highlight it in all views'}`}
              onClick={() => selectRecord(isSelected ? null : lane.key)}
            >
              <span className={styles.line}>
                <Key text={lane.key} />
                {value && <span className={styles.value}>{value(lane)}</span>}
              </span>
              {detail && <span className={styles.detail}>{detail(lane)}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** A key that is too long is shortened at its beginning, because keys often differ only in what follows: ids, and parts of one thing. */
function Key({ text }: { text: string }) {
  return (
    <span className={styles.key}>
      <bdi dir="ltr">{text}</bdi>
    </span>
  );
}
