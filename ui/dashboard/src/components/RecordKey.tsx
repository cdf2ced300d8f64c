// A record's key in a text or a table: a button that highlights the record in all views.
import { classes } from '@claret/ui/kit';
import styles from './RecordKey.module.css';
import { selectRecord, useSelectedRecord } from './selectedRecord.ts';

export function RecordKey({ value }: { value: string }) {
  const isSelected = useSelectedRecord() === value;
  return (
    <button
      type="button"
      className={classes(styles.key, isSelected && styles.selected)}
      aria-pressed={isSelected}
      title={isSelected ? 'Stop highlighting this record' : 'Highlight this record in all views'}
      onClick={() => selectRecord(isSelected ? null : value)}
    >
      {value}
    </button>
  );
}
