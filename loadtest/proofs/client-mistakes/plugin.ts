// For vitest: loads the client with a mistake (vitest.config.ts).
import { isPlaceOf, mistakeOf, withMistake } from './mistakes.ts';

export function clientWith(name: string): { name: string; enforce: 'pre'; transform(code: string, id: string): string | undefined } {
  const mistake = mistakeOf(name);
  return {
    name: 'client-mistake',
    enforce: 'pre',
    transform: (code, id) => (isPlaceOf(mistake, id) ? withMistake(mistake, code) : undefined),
  };
}
