import { Pill } from '@claret/ui/kit';
import { Flame } from 'lucide-react';
import { Link } from 'react-router';
import { ModeMark } from '../chart/ModeMark.tsx';
import { AT_FIRST, writeAddress } from '../explore/address.ts';
import { PATH } from '../paths.ts';
import { conditionsOf, countPairs, modesOf, type DataType, type Locks } from './catalogue.ts';
import { Conditions } from './Conditions.tsx';
import type { HotType } from './hotType.ts';
import { OperationTable } from './OperationTable.tsx';
import { PairTable } from './PairTable.tsx';
import styles from './TypeSection.module.css';

export interface TypeSectionProps {
  type: DataType;
  locks: Locks;
  /** its record that is used most now; null: another type is hot, or none */
  hot: HotType | null;
}

export function TypeSection({ type, locks, hot }: TypeSectionProps) {
  const conditions = conditionsOf(type);
  return (
    <section id={type.name} className={styles.type} aria-labelledby={`${type.name}-title`}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2 id={`${type.name}-title`}>{type.name}</h2>
          {type.installed && <Pill>installed</Pill>}
          {hot !== null && (
            <Pill tone="warn" icon={<Flame size={14} aria-hidden="true" />}>
              hot now: <Link to={{ pathname: PATH.explore, search: writeAddress({ ...AT_FIRST, record: hot.key }) }}>{hot.key}</Link>
            </Pill>
          )}
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
