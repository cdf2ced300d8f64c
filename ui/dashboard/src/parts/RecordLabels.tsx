// The records' names beside their lanes or rows: buttons, which highlight a record in all views.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { RecordLane } from '../store/telemetryStore.ts';
import { useGutter } from '../time/gutter.ts';
import styles from './RecordLabels.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

/** at most so many at the end of a key are never left out */
const TAIL_CHARACTERS = 11;
/** and so many where they say what it is of those that stand together: ":bids" of "{auction:42}:bids" */
const PART_CHARACTERS = 16;

export interface RecordLabelsProps {
  lanes: readonly RecordLane[];
  /** CSS pixels from one to the next */
  pitch: number;
  /** a second line */
  detail?: (lane: RecordLane) => ReactNode;
  /** at the right end of the first line */
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

/** Of a key that is too long its middle is left out: what tells records apart is often its end. */
function Key({ text }: { text: string }) {
  const part = text.lastIndexOf('}:') + 1;
  const isPart = part > 0 && text.length - part <= PART_CHARACTERS;
  const cut = isPart ? part : Math.max(text.lastIndexOf(':'), text.length - TAIL_CHARACTERS);
  return (
    <span className={styles.key}>
      <span className={styles.head}>{text.slice(0, cut)}</span>
      <span>{text.slice(cut)}</span>
    </span>
  );
}
