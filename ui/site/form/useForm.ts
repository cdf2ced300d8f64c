// Submits one form: its busy state, and its errors at the fields they belong to.
import { useState } from 'react';
import { asProblem, type ApiProblem } from '../api/client.ts';

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

export interface FormState<Name extends string> {
  isBusy: boolean;
  errors: FieldErrors<Name>;
  /** the error of the whole form, if it belongs to no single field */
  problem: ApiProblem | null;
  /** Shows the errors of `check`; sends only if there are none. */
  submit(check: FieldErrors<Name>, send: () => Promise<void>): Promise<void>;
}

/** `fields` are the names that the server and the page use; the first field with an error gets the focus. */
export function useForm<Name extends string>(fields: readonly Name[]): FormState<Name> {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  const show = (wrong: FieldErrors<Name>) => {
    setErrors(wrong);
    const first = fields.find((name) => wrong[name]);
    if (first) document.getElementsByName(first)[0]?.focus();
    return first !== undefined;
  };

  const submit = async (check: FieldErrors<Name>, send: () => Promise<void>) => {
    setProblem(null);
    if (show(check) || isBusy) return;
    setBusy(true);
    try {
      await send();
    } catch (thrown) {
      const met = asProblem(thrown);
      const field = fields.find((name) => name === met.field);
      if (field) show({ [field]: met.message } as FieldErrors<Name>);
      else setProblem(met);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, errors, problem, submit };
}
