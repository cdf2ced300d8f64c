// The records' names beside their lanes or rows: buttons, which bring a record out in all views.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { RecordLane } from '../store/telemetryStore.ts';
import styles from './RecordLabels.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

export interface RecordLabelsProps {
  lanes: readonly RecordLane[];
  /** CSS pixels from one to the next, and across */
  pitch: number;
  width: number;
  /** a second line */
  detail?: (lane: RecordLane) => ReactNode;
}

export function RecordLabels({ lanes, pitch, width, detail }: RecordLabelsProps) {
  const selected = useSelectedRecord();
  return (
    <ol className={styles.labels} style={{ width }} aria-label="Records">
      {lanes.map((lane) => {
        const isSelected = lane.key === selected;
        return (
          <li key={lane.key} className={styles.place} style={{ height: pitch }}>
            <button
              type="button"
              className={classes(styles.label, isSelected && styles.selected)}
              aria-pressed={isSelected}
              title={`${lane.key}\n${lane.type}, shard ${lane.shard}\n${isSelected ? 'Bring out no record' : 'Bring this record out in all views'}`}
              onClick={() => selectRecord(isSelected ? null : lane.key)}
            >
              <span className={styles.key}>{lane.key}</span>
              {detail && <span className={styles.detail}>{detail(lane)}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
