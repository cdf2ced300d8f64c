import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { useScrollStop } from './hooks/useScrollStop.ts';
import styles from './Table.module.css';

export interface Column<Row> {
  header: string;
  cell(row: Row): ReactNode;
  /** numbers are right-aligned, so that their digits line up */
  isNumber?: boolean;
}

export interface TableProps<Row> {
  /** for screen readers only */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** new rows are highlighted softly once */
  isNew?(row: Row): boolean;
}

export function Table<Row>({ caption, columns, rows, rowKey, isNew }: TableProps<Row>) {
  const scrollStop = useScrollStop();
  return (
    <div className={styles.scroll} {...scrollStop}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classes(column.isNumber && styles.end)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={classes(isNew?.(row) && styles.marked)}>
              {columns.map((column) => (
                <td key={column.header} className={classes(column.isNumber && styles.end)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
