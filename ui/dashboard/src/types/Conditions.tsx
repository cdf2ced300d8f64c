import type { Condition, DataType } from './catalogue.ts';
import styles from './Conditions.module.css';
import { RulingSign } from './RulingSign.tsx';

export const conditionId = (type: DataType, { number }: Condition): string => `${type.name}-${number}`;

/** A type's rules that need words, by the numbers in its table. */
export function Conditions({ type, conditions }: { type: DataType; conditions: readonly Condition[] }) {
  return (
    <ol className={styles.list} aria-label={`${type.name}: rules in words`}>
      {conditions.map((condition) => (
        <li key={condition.number} id={conditionId(type, condition)} className={styles.condition}>
          <RulingSign ruling={condition.ruling} condition={condition.number} />
          <div>
            <p className={styles.pairs}>
              {condition.pairs.map(([first, second]) => (
                <span key={`${first} ${second}`}>{first === second ? `two ${first}` : `${first} and ${second}`}</span>
              ))}
            </p>
            <p className={styles.words}>{sentence(condition)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** "different fields" → "If different fields." A summed one says "always; …" itself. */
function sentence({ ruling, words }: Condition): string {
  return ruling === 'summed' ? `${words[0]!.toUpperCase()}${words.slice(1)}.` : `If ${words}.`;
}
