import { Pill } from '@claret/ui/kit';
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
        <div className={styles.title}>
          <h2 id={`${type.name}-title`}>{type.name}</h2>
          {type.installed && <Pill>installed</Pill>}
        </div>
        <p>{type.meaning}</p>
      </header>
      <div className={styles.pairs}>
        <div className={styles.table}>
          <PairTable type={type} locks={locks} conditions={conditions} />
          <p className={styles.sum}>{sumWords(type, locks)}</p>
        </div>
        {locks === 'abstract' && conditions.length > 0 && <Conditions type={type} conditions={conditions} />}
      </div>
      <dl className={styles.modes} aria-label={`${type.name}: modes`}>
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

const LIST = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** A summary of the table, compared with the other locks. */
function sumWords(type: DataType, locks: Locks): string {
  const { all, always, depends, summed } = countPairs(type, 'abstract');
  const rw = countPairs(type, 'rw').always;
  const pairs = `${all} ${all === 1 ? 'pair' : 'pairs'}`;
  if (locks === 'rw') {
    const commuting = always + depends + summed;
    return `With reader/writer locks, ${rw} of ${pairs} can run together: a writer has the record alone. With commuting locks: ${commuting}.`;
  }
  const parts = [`${always} can always run together`];
  if (summed > 0) parts.push(`${summed} can within bounds`);
  if (depends > 0) parts.push(`${depends} can when the rule is met`);
  return `Of ${pairs}, ${LIST.format(parts)}. With reader/writer locks: ${rw}.`;
}
