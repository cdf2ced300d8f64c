// The commutativity table: an operation that holds the record against a newcomer. The table is symmetric; operations of one mode
// are adjacent.
import { classes, useScrollStop } from '@claret/ui/kit';
import { ModeMark } from '../chart/ModeMark.tsx';
import {
  modeOf,
  modesOf,
  operationsByMode,
  ruleOf,
  rulingOf,
  type Condition,
  type DataType,
  type Locks,
  type Operation,
} from './catalogue.ts';
import { conditionId } from './Conditions.tsx';
import styles from './PairTable.module.css';
import { RulingSign } from './RulingSign.tsx';

export interface PairTableProps {
  type: DataType;
  locks: Locks;
  conditions: readonly Condition[];
}

export function PairTable({ type, locks, conditions }: PairTableProps) {
  const operations = operationsByMode(type, locks);
  const scrollStop = useScrollStop();
  const begins = new Set(operations.filter((operation, at) => at > 0 && modeOf(locks, operations[at - 1]!) !== modeOf(locks, operation)));
  const head = (operation: Operation) => (
    <>
      <ModeMark mode={modesOf(type, locks)[modeOf(locks, operation)]!.name} />
      <span className={styles.name}>{operation.name}</span>
    </>
  );
  return (
    <div className={styles.scroll} {...scrollStop}>
      <table className={styles.table}>
        <caption className="visually-hidden">{type.name}: which two operations can hold a record together</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Holder, against newcomer</span>
            </th>
            {operations.map((operation) => (
              <th key={operation.name} scope="col" className={classes(begins.has(operation) && styles.left)}>
                <span className={styles.column}>{head(operation)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {operations.map((holder) => (
            <tr key={holder.name} className={classes(begins.has(holder) && styles.top)}>
              <th scope="row">
                <span className={styles.row}>{head(holder)}</span>
              </th>
              {operations.map((comer) => (
                <td key={comer.name} className={classes(begins.has(comer) && styles.left)}>
                  <Cell type={type} locks={locks} holder={holder} comer={comer} conditions={conditions} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ type, locks, holder, comer, conditions }: PairTableProps & { holder: Operation; comer: Operation }) {
  const ruling = rulingOf(type, locks, holder, comer);
  const { when } = ruleOf(type, holder, comer);
  const condition = locks === 'abstract' && conditions.find(({ words }) => words === when);
  if (!condition) return <RulingSign ruling={ruling} />;
  return (
    <a href={`#${conditionId(type, condition)}`} className={styles.rule} title={condition.words}>
      <RulingSign ruling={ruling} condition={condition.number} />
    </a>
  );
}
