// The records' names beside their lanes or rows: buttons that highlight the record in all views.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { RecordLane } from '../store/telemetryStore.ts';
import { useGutter } from '../time/gutter.ts';
import styles from './RecordLabels.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

/** the end of a key is kept up to this many characters */
const TAIL_CHARACTERS = 11;
/** the same limit for the part after braces, which names a record within its group: ":bids" of "{auction:42}:bids" */
const PART_CHARACTERS = 16;

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

/** A key that is too long is shortened in the middle, because keys often differ only at the end. */
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
