// A labelled control. Hint and error are linked to the control, so that screen readers announce them with it.
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
  /** the error and how to fix it; null or empty if there is none */
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

/** Splits the properties of the field around the control from those of the control itself. */
function apart<Props extends FieldWords>({ label, hint, error, isOptional, isLabelHidden, className, ...control }: Props) {
  return { words: { label, hint, error, isOptional, isLabelHidden, className }, control };
}

/** A one-line text field; `prefix` is shown inside, before the text. */
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

/** A choice from a list, whose options are the children. */
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
