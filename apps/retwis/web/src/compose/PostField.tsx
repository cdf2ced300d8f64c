// The field of a composer: as tall as its text, with the excess part marked. A copy of the text lies under the field, letter on letter: it
// sets the height and carries the marks.
import type { ComponentProps } from 'react';
import styles from './PostField.module.css';

export interface PostFieldProps extends Omit<ComponentProps<'textarea'>, 'value' | 'className'> {
  value: string;
  /** the UTF-16 index at which the excess begins */
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
