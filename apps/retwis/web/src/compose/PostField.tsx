// The field of a composer: as tall as its text, and what is too much of it marked. A copy of the text lies under the field,
// letter on letter: it gives the height, and carries the marks.
import type { ComponentProps } from 'react';
import styles from './PostField.module.css';

export interface PostFieldProps extends Omit<ComponentProps<'textarea'>, 'value' | 'className'> {
  value: string;
  /** From here on (a UTF-16 index) it is too much. */
  fits_until: number;
}

export function PostField({ value, fits_until, ...rest }: PostFieldProps) {
  const over = value.slice(fits_until);
  return (
    <div className={styles.field}>
      <div className={styles.copy} aria-hidden="true" dir="auto">
        {value.slice(0, fits_until)}
        {over && <mark>{over}</mark>}
        {'\u200b'}
      </div>
      <textarea className={styles.text} dir="auto" rows={1} value={value} {...rest} />
    </div>
  );
}
