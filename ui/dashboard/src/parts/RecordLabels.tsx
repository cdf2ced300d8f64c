// The records' names beside their lanes or rows: buttons, which bring a record out in all views.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { RecordLane } from '../store/telemetryStore.ts';
import styles from './RecordLabels.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

/** at most so many at the end of a key are never left out */
const TAIL_CHARACTERS = 11;

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
    <ol className={styles.labels} style={{ width, fontSize: Math.min(12, pitch - 3) }} aria-label="Record names">
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
              <Key text={lane.key} />
              {detail && <span className={styles.detail}>{detail(lane)}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Of a key that is too long its middle is left out: what tells records apart is often its end. */
function Key({ text }: { text: string }) {
  const cut = Math.max(text.lastIndexOf(':'), text.length - TAIL_CHARACTERS);
  return (
    <span className={styles.key}>
      <span className={styles.head}>{text.slice(0, cut)}</span>
      <span>{text.slice(cut)}</span>
    </span>
  );
}
