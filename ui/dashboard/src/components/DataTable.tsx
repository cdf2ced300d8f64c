// The kit's table in the form that panels use: dense, without line breaks in cells; a table that is too wide scrolls.
import { Table, type TableProps } from '@claret/ui/kit';
import styles from './DataTable.module.css';

export function DataTable<Row>(props: TableProps<Row>) {
  return (
    <div className={styles.table}>
      <Table {...props} />
    </div>
  );
}
