// The words for a broken connection, and for its return.
import type { Trouble } from '../live/trouble.ts';

/** `meanwhile`: the site's own sentence on what a visitor has to expect. */
export function troubleWords(trouble: Trouble, meanwhile: string): string {
  switch (trouble) {
    case 'offline':
      return 'You’re offline. This page may be out of date.';
    case 'away':
      return `The site can’t be reached. ${meanwhile} Trying again…`;
    case 'partly':
      return `Part of the site can’t be reached. ${meanwhile} Trying again…`;
  }
}

/** After any of them. */
export const BACK_WORDS = 'The connection is back. This page is live again.';
