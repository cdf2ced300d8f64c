// A field for an amount of money.
import { TextField } from '@claret/ui/kit';

export interface MoneyFieldProps {
  ref?: React.Ref<HTMLInputElement>;
  label: string;
  name: string;
  hint?: string;
  isOptional?: boolean;
  placeholder?: string;
  value: string;
  error: string | undefined;
  onChange(typed: string): void;
}

export function MoneyField({ onChange, ...rest }: MoneyFieldProps) {
  return <TextField prefix="$" inputMode="decimal" autoComplete="off" onChange={(event) => onChange(event.target.value)} {...rest} />;
}
