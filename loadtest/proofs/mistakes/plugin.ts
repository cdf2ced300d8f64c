// For vitest: loads the client and the gateway with a mistake (vitest.config.ts).
import { isPlaceOf, withMistake } from './mistake.ts';
import { mistakeOf } from './mistakes.ts';

export function sourceWith(name: string): { name: string; enforce: 'pre'; transform(code: string, id: string): string | undefined } {
  const mistake = mistakeOf(name);
  return {
    name: 'mistake',
    enforce: 'pre',
    transform: (code, id) => (isPlaceOf(mistake, id) ? withMistake(mistake, id, code) : undefined),
  };
}
