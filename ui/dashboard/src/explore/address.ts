// What the address of Explore says besides its path: how much time is shown, up to which moment if the picture stands still, the record that is
// selected, and what is open. Opened elsewhere, it shows the same for as long as telemetry goes back.
//
//   ?range=60&at=1764440400000&record={item:1}:bids&transaction=12.7
//   ?range=600&holder=Bid&blocked=ViewAuction      "*": all labels without a row of their own
import type { Opened } from '../components/opened.ts';
import type { ShownLabel } from '../views/conflicts/conflictMatrix.ts';
import { WIDTH_MS_AT_FIRST } from '../time/timeAxis.ts';

export interface Address {
  width_ms: number;
  /** the end of the time shown; null: it is followed */
  at_ms: number | null;
  record: string | null;
  opened: Opened | null;
}

/** A page that nobody has touched. */
export const AT_FIRST: Address = { width_ms: WIDTH_MS_AT_FIRST, at_ms: null, record: null, opened: null };

const OTHERS = '*';

const labelOf = (text: string): ShownLabel => (text === OTHERS ? null : text);

export function readAddress(search: string): Address {
  const said = new URLSearchParams(search);
  const number = (name: string): number | null => {
    const value = Number(said.get(name) ?? NaN);
    return value > 0 && Number.isFinite(value) ? value : null;
  };
  const range_s = number('range');
  return {
    width_ms: range_s === null ? WIDTH_MS_AT_FIRST : range_s * 1_000,
    at_ms: number('at'),
    record: said.get('record'),
    opened: readOpened(said),
  };
}

function readOpened(said: URLSearchParams): Opened | null {
  const transaction = said.get('transaction');
  if (transaction !== null) return { transaction };
  const [holder, comer] = [said.get('holder'), said.get('blocked')];
  return holder === null || comer === null ? null : { pair: { holder: labelOf(holder), comer: labelOf(comer) }, isFrozen: false };
}

/** Empty, or with its question mark. What is as at first is left out. */
export function writeAddress({ width_ms, at_ms, record, opened }: Address): string {
  const said = new URLSearchParams();
  if (Math.round(width_ms) !== WIDTH_MS_AT_FIRST) said.set('range', String(Math.round(width_ms) / 1_000));
  if (at_ms !== null) said.set('at', String(Math.round(at_ms)));
  if (record !== null) said.set('record', record);
  if (opened !== null && 'transaction' in opened) said.set('transaction', opened.transaction);
  // A frozen matrix is in this browser alone.
  if (opened !== null && 'pair' in opened && !opened.isFrozen) {
    said.set('holder', opened.pair.holder ?? OTHERS);
    said.set('blocked', opened.pair.comer ?? OTHERS);
  }
  const search = said.toString();
  return search === '' ? '' : `?${search}`;
}
