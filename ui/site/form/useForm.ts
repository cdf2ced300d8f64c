// One form on its way to the server: busy or not, and what was wrong, at the field it belongs to.
import { useState } from 'react';
import { asProblem, type ApiProblem } from '../api/client.ts';

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

export interface FormDoor<Name extends string> {
  isBusy: boolean;
  errors: FieldErrors<Name>;
  /** What was wrong with the whole, if it is no single field's fault. */
  problem: ApiProblem | null;
  /** Checks first; sends only what is well. */
  submit(check: FieldErrors<Name>, send: () => Promise<void>): Promise<void>;
}

/** `fields` are the names under which the server and the page know the fields; the focus goes to the first wrong one. */
export function useForm<Name extends string>(fields: readonly Name[]): FormDoor<Name> {
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
