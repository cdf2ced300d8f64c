// PageForm: the one form of a page: what was wrong with the whole on top, its fields, the button that sends it.
import { Button } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { FieldErrors, FormDoor } from './useForm.ts';
import styles from './FormPage.module.css';

export interface PageFormProps<Name extends string> {
  form: FormDoor<Name>;
  /** on the button */
  action: string;
  /** What is wrong before anything is sent; empty when all is well. */
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
