// Figures and results in a form for people.

import type { OperationDescription } from './type-description.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';

export const NOTHING = '–';

const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** "12,345" */
export const count = (value: number | bigint): string => COUNT.format(value);

/** "1 shard", "2 shards", "no records" */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${value === 0 ? 'no' : count(value)} ${value === 1 ? one : many}`;

/** A rate: "12,345", "45.6", "0.31", "0". */
export function rate(value: number): string {
  if (Math.abs(value) >= 100) return count(Math.round(value));
  if (value === 0) return '0';
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A duration in ms: "<0.1 ms", "0.4 ms", "14 ms", "2.1 s". */
export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NOTHING;
  if (ms > 0 && ms < 0.05) return '<0.1 ms';
  if (ms >= 9_950) return `${count(Math.round(ms / 1_000))} s`;
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms >= 9.95 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** "512 B", "1.4 MiB" */
export function bytes(value: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
  const scaled = value / 1024 ** power;
  return `${power === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${BYTE_UNITS[power]}`;
}

/** "14:03:07", on the clock of this machine */
export function clockTime(at: Date, withMs = false): string {
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  return withMs ? `${time}.${pad(at.getMilliseconds(), 3)}` : time;
}

/** Control characters, including line ends. They must not reach a terminal unescaped. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu;

/** A text of a record on one line. Characters that a terminal would not show are escaped as in JSON. */
export const shown = (text: string): string =>
  text.replaceAll(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value for JSON: an integer beyond 2^53 - 1 is a text, an absent value is null. */
export function toJson(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]));
  return value;
}

/** A scalar, or `(none)`. */
export function scalar(value: unknown, screen: Screen): string {
  if (value === null || value === undefined) return screen.colours.dim('(none)');
  if (typeof value === 'string') return shown(value);
  return String(value);
}

type Pairs = [item: string, score: number | bigint][];

/** Ranked items. The first is `from` ranks behind the top. */
export function ranking(pairs: Pairs, screen: Screen, from = 0, firstRank = 1): string {
  return table(
    [
      { header: 'rank', align: 'right' },
      { header: 'item', shrinks: true },
      { header: 'score', align: 'right' },
    ],
    pairs.map(([item, score], at) => [count(from + at + firstRank), shown(item), count(score)]),
    screen,
  );
}

/** The fields of a Dict. */
export function fields(entries: Record<string, unknown>, screen: Screen): string {
  const rows = Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1));
  return table(
    [{ header: 'field' }, { header: 'value', shrinks: true }],
    rows.map(([field, value]) => [shown(field), scalar(value, screen)]),
    screen,
  );
}

const EMPTY = '(empty)';

/** The result of an operation, in lines; `ok` if it has none. */
export function result({ result: kind }: OperationDescription, value: unknown, screen: Screen): string {
  const list = Array.isArray(value) ? value : [];
  const nothing = screen.colours.dim(EMPTY);
  switch (kind) {
    case 'void':
      return screen.colours.green('ok');
    case 'texts':
    case 'scalars':
      return list.length === 0 ? nothing : list.map((each) => scalar(each, screen)).join('\n');
    case 'entries':
      return Object.keys(value as object).length === 0 ? nothing : fields(value as Record<string, unknown>, screen);
    case 'ranked':
    case 'scored':
      return list.length === 0 ? nothing : scores(list as Pairs, screen);
    case 'ranked_item':
      return value === null ? scalar(null, screen) : scores([value as Pairs[number]], screen);
    default:
      return scalar(value, screen);
  }
}

/** Items with scores. Their ranks are not known, since an operation may return a later page. */
function scores(list: Pairs, screen: Screen): string {
  return table(
    [
      { header: 'item', shrinks: true },
      { header: 'score', align: 'right' },
    ],
    list.map(([item, score]) => [shown(item), count(score)]),
    screen,
  );
}

/** A result on one line, for streams. */
export function resultLine({ result: kind }: OperationDescription, value: unknown, screen: Screen): string {
  const scalarText = (each: unknown) => scalar(each, screen);
  if (Array.isArray(value)) {
    if (value.length === 0) return screen.colours.dim(EMPTY);
    if (kind === 'ranked_item') return `${scalarText(value[0])} ${scalarText(value[1])}`;
    if (kind === 'ranked' || kind === 'scored') return (value as Pairs).map(([item, score]) => `${shown(item)} ${score}`).join(', ');
    return value.map(scalarText).join(', ');
  }
  if (kind === 'entries') {
    const entries = Object.entries(value as object);
    return entries.length === 0
      ? screen.colours.dim(EMPTY)
      : entries.map(([field, each]) => `${shown(field)}=${scalarText(each)}`).join(' ');
  }
  return scalarText(value);
}
