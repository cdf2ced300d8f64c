import { Table, type Column } from '@claret/ui/kit';
import { ModeMark } from '../chart/ModeMark.tsx';
import { modeOf, modesOf, type DataType, type Locks, type Operation } from './catalogue.ts';
import styles from './OperationTable.module.css';
import { CLASS_WORDS, signature } from './words.ts';

/** The parameters, result and effect of each operation. */
export function OperationTable({ type, locks }: { type: DataType; locks: Locks }) {
  const columns: Column<Operation>[] = [
    {
      header: 'Operation',
      cell: (operation) => (
        <code className={styles.call}>
          <b>{operation.name}</b>
          {signature(operation)}
        </code>
      ),
    },
    { header: 'What it does', cell: (operation) => <Meaning operation={operation} /> },
    { header: 'Mode', cell: (operation) => <ModeMark mode={modesOf(type, locks)[modeOf(locks, operation)]!.name} isNamed /> },
    { header: 'Effect on the record', cell: (operation) => <span className={styles.class}>{CLASS_WORDS[operation.class]}</span> },
  ];
  return <Table caption={`${type.name}: its operations`} columns={columns} rows={type.operations} rowKey={({ name }) => name} />;
}

function Meaning({ operation }: { operation: Operation }) {
  return (
    <div className={styles.meaning}>
      {operation.meaning}
      {operation.parameters.length > 0 && (
        <dl className={styles.parameters}>
          {operation.parameters.map(({ name, meaning }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
