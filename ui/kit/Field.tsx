// A labelled control. Hint and error are tied to the control, so that they are heard where they are seen.
import { ChevronDown, CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Field.module.css';

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong and what to do; null or empty when all is well. */
  error?: ReactNode;
  isOptional?: boolean;
  isLabelHidden?: boolean;
  className?: string;
  children: (wiring: Wiring) => ReactNode;
}

export function Field({ label, hint, error, isOptional, isLabelHidden, className, children }: FieldProps) {
  const id = useId();
  const described = classes(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
        {isOptional && <span className={styles.optional}> (optional)</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

type FieldWords = Omit<FieldProps, 'children'>;

/** What is around a control, and what goes to the control itself. */
function apart<Props extends FieldWords>({ label, hint, error, isOptional, isLabelHidden, className, ...control }: Props) {
  return { words: { label, hint, error, isOptional, isLabelHidden, className }, control };
}

/** One line of text; `prefix` is shown inside, before what is typed. */
export function TextField({ prefix, ...props }: FieldWords & Omit<ComponentProps<'input'>, 'prefix'> & { prefix?: string }) {
  const { words, control } = apart(props);
  return (
    <Field {...words}>
      {(wiring) =>
        prefix ? (
          <span className={styles.prefixed}>
            <span aria-hidden="true">{prefix}</span>
            <input className={styles.control} {...control} {...wiring} />
          </span>
        ) : (
          <input className={styles.control} {...control} {...wiring} />
        )
      }
    </Field>
  );
}

export function TextAreaField(props: FieldWords & ComponentProps<'textarea'>) {
  const { words, control } = apart(props);
  return <Field {...words}>{(wiring) => <textarea className={styles.control} {...control} {...wiring} />}</Field>;
}

/** A choice from a list; options are the children. */
export function SelectField(props: FieldWords & ComponentProps<'select'>) {
  const { words, control } = apart(props);
  return (
    <Field {...words}>
      {(wiring) => (
        <span className={styles.select}>
          <select className={styles.control} {...control} {...wiring} />
          <ChevronDown size={18} aria-hidden="true" />
        </span>
      )}
    </Field>
  );
}
