// All mistakes, by name.
import { CLIENT_MISTAKES } from './client-mistakes.ts';
import { GATEWAY_MISTAKES } from './gateway-mistakes.ts';
import type { Mistake } from './mistake.ts';

export const MISTAKES: readonly Mistake[] = [...CLIENT_MISTAKES, ...GATEWAY_MISTAKES];

/** Throws an Error if there is none of that name. */
export function mistakeOf(name: string): Mistake {
  const mistake = MISTAKES.find((one) => one.name === name);
  if (mistake === undefined) throw new Error(`There is no mistake ${name}.`);
  return mistake;
}
