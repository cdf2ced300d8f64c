// The ledger of keyed changes: what a site has acknowledged, beside what it tells afterwards. A key that was sent twice is one change.
//
// A change whose answer is missing may have happened: it widens the bounds by one. The count of an item's bids shows every excess and every loss,
// unless there are as many of one as of the other; the list of its highest bids shows these as well, as far as it goes.

import type { Outcome } from './outcome.ts';

/** What the site tells about one auction, or one author. */
export interface Shown {
  count: number;
  /** before the round */
  earlier: number;
  /** the highest bids; `isAll`: there are no others. Null: the site has no such list */
  highest: { ids: readonly string[]; least_cents: number; isAll: boolean } | null;
}

export interface Verdict {
  subject: string;
  acknowledged: number;
  /** keys without an answer that says whether the change has happened */
  unknown: number;
  duplicates: number;
  lost: number;
  /** keys that got two different acknowledgements, or a refusal to what was sent after the acknowledgement */
  contradictions: number;
  /** keys that were sent twice at once, and were refused at one server while the other one acknowledged them */
  mixed: number;
}

/** One answer to a change. */
export interface Told {
  outcome: Outcome;
  /** that the answer gives to the change, if it acknowledges it */
  id: string | null;
  /** of a bid */
  cents?: number;
  /** the request was sent after another one with its key had been answered */
  isAfter: boolean;
}

interface Change {
  /** those of its answers that acknowledge it */
  ids: Set<string>;
  cents: number;
  isUnknown: boolean;
  /** the outcomes of what was not sent after an answer */
  first: Set<Outcome>;
  isRefusedAfter: boolean;
}

export class Ledger {
  readonly #subjects = new Map<string, Map<string, Change>>();

  note(subject: string, key: string, { outcome, id, cents = 0, isAfter }: Told): void {
    const changes = this.#subjects.get(subject) ?? new Map<string, Change>();
    this.#subjects.set(subject, changes);
    const change = changes.get(key) ?? { ids: new Set(), cents, isUnknown: false, first: new Set(), isRefusedAfter: false };
    changes.set(key, change);
    if (!isAfter) change.first.add(outcome);
    if (outcome === 'accepted') change.ids.add(id ?? '');
    else if (outcome === 'unknown' || outcome === 'failed') change.isUnknown = true;
    else if (outcome === 'outbid' && isAfter && change.ids.size > 0) change.isRefusedAfter = true;
  }

  get subjects(): string[] {
    return [...this.#subjects.keys()];
  }

  verdict(subject: string, { count, earlier, highest }: Shown): Verdict {
    const changes = [...(this.#subjects.get(subject)?.values() ?? [])];
    const made = changes.filter(({ ids }) => ids.size > 0);
    const acknowledged = made.length;
    const unknown = changes.filter(({ ids, isUnknown }) => ids.size === 0 && isUnknown).length;
    const contradictions = made.filter(({ ids, isRefusedAfter }) => ids.size > 1 || isRefusedAfter).length;
    const mixed = made.filter(({ first }) => first.has('accepted') && first.has('outbid')).length;
    const fresh = count - earlier;
    const [excess, missing] = [Math.max(0, fresh - acknowledged - unknown), Math.max(0, acknowledged - fresh)];
    if (highest === null) return { subject, acknowledged, unknown, duplicates: excess, lost: missing, contradictions, mixed };
    const shown = new Set(highest.ids);
    const twice = highest.ids.length - shown.size;
    const known = new Set(made.flatMap(({ ids }) => [...ids]));
    const strange = [...shown].filter((id) => !known.has(id)).length;
    const hidden = made.filter(({ ids, cents }) => (highest.isAll || cents > highest.least_cents) && ![...ids].some((id) => shown.has(id)));
    return {
      subject,
      acknowledged,
      unknown,
      duplicates: Math.max(excess, twice + Math.max(0, strange - unknown)),
      lost: Math.max(missing, hidden.length),
      contradictions,
      mixed,
    };
  }
}

export const isBad = ({ duplicates, lost, contradictions }: Verdict): boolean => duplicates + lost + contradictions > 0;
