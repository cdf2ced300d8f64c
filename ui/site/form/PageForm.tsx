// PageForm: the form of a page: the error of the whole form on top, the fields, the submit button.
import { Button } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { FieldErrors, FormState } from './useForm.ts';
import styles from './FormPage.module.css';

export interface PageFormProps<Name extends string> {
  form: FormState<Name>;
  /** label of the submit button */
  action: string;
  /** The errors found before anything is sent; empty if there are none. */
  check(): FieldErrors<Name>;
  send(): Promise<void>;
  children: ReactNode;
}

export function PageForm<Name extends string>({ form, action, check, send, children }: PageFormProps<Name>) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(check(), send);
      }}
    >
      {form.problem && (
        <p className={styles.problem} role="alert">
          {form.problem.message}
        </p>
      )}
      {children}
      <Button type="submit" look="primary" isWide isBusy={form.isBusy}>
        {action}
      </Button>
    </form>
  );
}
