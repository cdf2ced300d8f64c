// The kit's table as panels have it: dense, and no cell breaks its line; what is too wide scrolls.
import { Table, type TableProps } from '@claret/ui/kit';
import styles from './DataTable.module.css';

export function DataTable<Row>(props: TableProps<Row>) {
  return (
    <div className={styles.table}>
      <Table {...props} />
    </div>
  );
}
