import { ModeMark } from '../chart/ModeMark.tsx';
import { conditionsOf, countPairs, modesOf, type DataType, type Locks } from './catalogue.ts';
import { Conditions } from './Conditions.tsx';
import { OperationTable } from './OperationTable.tsx';
import { PairTable } from './PairTable.tsx';
import styles from './TypeSection.module.css';

export function TypeSection({ type, locks }: { type: DataType; locks: Locks }) {
  const conditions = conditionsOf(type);
  return (
    <section id={type.name} className={styles.type} aria-labelledby={`${type.name}-title`}>
      <header className={styles.head}>
        <h2 id={`${type.name}-title`}>{type.name}</h2>
        <p>{type.meaning}</p>
      </header>
      <div className={styles.pairs}>
        <div className={styles.table}>
          <PairTable type={type} locks={locks} conditions={conditions} />
          <p className={styles.sum}>{sumWords(type, locks)}</p>
        </div>
        {locks === 'abstract' && conditions.length > 0 && <Conditions type={type} conditions={conditions} />}
      </div>
      <dl className={styles.modes} aria-label={`${type.name}: modes, in which operations queue`}>
        {modesOf(type, locks).map(({ name, meaning }) => (
          <div key={name}>
            <dt>
              <ModeMark mode={name} isNamed />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <OperationTable type={type} locks={locks} />
    </section>
  );
}

/** What the table comes to, and what it would under the other locks. */
function sumWords(type: DataType, locks: Locks): string {
  const { all, always, depends, summed } = countPairs(type, 'abstract');
  const rw = countPairs(type, 'rw').always;
  if (locks === 'rw') {
    return `Who changes something has the record alone: ${rw === 0 ? 'no pair goes' : `${rw} of ${all} pairs go`} together. Where commuting operations share, ${always + depends + summed} do or can.`;
  }
  const parts = [`${always} always`];
  if (summed > 0) parts.push(`${summed} within bounds`);
  if (depends > 0) parts.push(`${depends} where the rule allows`);
  return `Of ${all} ${all === 1 ? 'pair' : 'pairs'} go together: ${parts.join(', ')}. Under reader/writer locks: ${rw === 0 ? 'none' : rw}.`;
}
