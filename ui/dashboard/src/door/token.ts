// The cluster's token, once somebody has typed it: for this tab, until it is closed.
const NAME = 'claret-token';

export const keptToken = (): string | null => sessionStorage.getItem(NAME);

/** null: forgotten */
export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, token);
}
