// The cluster's token, once it was typed: kept for this tab, until the tab is closed.
const NAME = 'claret-token';

export const keptToken = (): string | null => sessionStorage.getItem(NAME);

/** null: forget the token */
export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, token);
}
