// The kit's table in the form that panels use: dense, without line breaks in cells; a table that is too wide scrolls, and one without rows says so.
import { Table, type TableProps } from '@claret/ui/kit';
import styles from './DataTable.module.css';

export function DataTable<Row>(props: TableProps<Row>) {
  if (props.rows.length === 0) return <p className={styles.none}>{props.caption}: none.</p>;
  return (
    <div className={styles.table}>
      <Table {...props} />
    </div>
  );
}
