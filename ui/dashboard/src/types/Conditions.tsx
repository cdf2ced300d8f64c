import { classes } from '@claret/ui/kit';
import type { Condition, DataType } from './catalogue.ts';
import styles from './Conditions.module.css';
import { RulingSign } from './RulingSign.tsx';

export const conditionId = (type: DataType, { number }: Condition): string => `${type.name}-${number}`;

/** With more conditions, the list stands below the table. */
const BESIDE_MAX = 7;

/** The rules of a type that need words, by the numbers in its table. */
export function Conditions({ type, conditions }: { type: DataType; conditions: readonly Condition[] }) {
  return (
    <div className={classes(styles.rules, conditions.length > BESIDE_MAX && styles.below)}>
      <h3 className={styles.title}>When can they run together?</h3>
      <ol className={styles.list}>
        {conditions.map((condition) => (
          <li key={condition.number} id={conditionId(type, condition)} className={styles.condition}>
            <RulingSign ruling={condition.ruling} condition={condition.number} />
            <div>
              <p className={styles.pairs}>
                {condition.pairs.map(([first, second]) => (
                  <span key={`${first} ${second}`}>
                    {first} and {second}
                  </span>
                ))}
              </p>
              <p className={styles.words}>{sentence(condition.words)}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** "different fields" → "Different fields." */
const sentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;
