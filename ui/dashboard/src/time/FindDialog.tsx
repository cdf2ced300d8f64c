// The search: a record or a label, and a jump to where it occurred last. The record is selected in all views; of a label, the newest sampled
// transaction is opened.
import { Dialog, TextField } from '@claret/ui/kit';
import { useState } from 'react';
import { open } from '../components/opened.ts';
import { selectRecord } from '../components/selectedRecord.ts';
import { find, type Found } from './find.ts';
import styles from './FindDialog.module.css';
import { clockTime } from './ticks.ts';
import { useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

const MOST = 8;
/** What comes after it is shown too: this share of the time shown. */
const AFTER = 0.2;

export function FindDialog({ onClose }: { onClose(): void }) {
  const axis = useTimeAxis();
  const [typed, setTyped] = useState('');
  const found = useTelemetry((store) => find(store, typed, MOST));
  const go = (to: Found) => {
    onClose();
    axis.standAt(to.at_ms + AFTER * (axis.span.to_ms - axis.span.from_ms));
    if (to.kind === 'record') selectRecord(to.key);
    else open({ transaction: to.transaction });
  };
  return (
    <Dialog isOpen onOpenChange={onClose} title="Find a record or a label">
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) go(found[0]);
        }}
      >
        <TextField
          label="Part of its name"
          hint="Enter goes to the first one, where it occurred last."
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p className={styles.none} role="status">
          {typed.trim() !== '' && found.length === 0 && 'Neither a hot record nor a sampled transaction of the last ten minutes.'}
        </p>
        <ul className={styles.list} aria-label="Found">
          {found.map((one) => (
            <li key={one.kind === 'record' ? `record ${one.key}` : `label ${one.label}`}>
              <button type="button" className={styles.one} onClick={() => go(one)}>
                <span className={styles.kind}>{one.kind}</span>
                <span className={styles.name}>{one.kind === 'record' ? one.key : one.label || '(no label)'}</span>
                <span className="figures">{clockTime(one.at_ms)}</span>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}
