import styles from './LocksChoice.module.css';
import type { Locks } from './catalogue.ts';

const CHOICES: readonly { locks: Locks; words: string }[] = [
  { locks: 'abstract', words: 'Commuting locks' },
  { locks: 'rw', words: 'Reader/writer locks' },
];

/** The locks for which the tables are shown; changes nothing in the cluster. */
export function LocksChoice({ locks, onChange }: { locks: Locks; onChange(locks: Locks): void }) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Show the tables for</legend>
      {CHOICES.map((choice) => (
        <label key={choice.locks} className={styles.option}>
          <input
            type="radio"
            name="locks"
            className="visually-hidden"
            checked={locks === choice.locks}
            onChange={() => onChange(choice.locks)}
          />
          {choice.words}
        </label>
      ))}
    </fieldset>
  );
}
