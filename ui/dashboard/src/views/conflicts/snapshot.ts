// A frozen matrix: what the conflicts were over a span, and under which conditions. Kept in the browser over a reload, as
// JSON; what cannot be read is no snapshot.
import { accepts, conditions as conditionsSchema, type Conditions } from '@claret/client/telemetry';
import type { ConflictRow } from '../../store/telemetryStore.ts';

export interface ConflictSnapshot {
  /** the end of its span */
  at_ms: number;
  /** how long was observed */
  seconds: number;
  /** null: they were not known */
  conditions: Conditions | null;
  rows: readonly ConflictRow[];
  /** conflicts that `rows` do not have */
  leftOut: number;
}

export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const STORAGE_KEY = 'claret-frozen-conflicts';
const VERSION = 1;
/** Rows beyond the most frequent ones are counted as left out. */
export const ROWS_KEPT = 500;

export function freeze(snapshot: ConflictSnapshot): ConflictSnapshot {
  const rows = [...snapshot.rows].sort((a, b) => b.count - a.count);
  const leftOut = rows.slice(ROWS_KEPT).reduce((sum, { count }) => sum + count, snapshot.leftOut);
  return { ...snapshot, rows: rows.slice(0, ROWS_KEPT), leftOut };
}

/** Null goes. Where the browser keeps nothing, the snapshot lasts as long as the page. */
export function keepSnapshot(storage: KeyValueStorage | undefined, snapshot: ConflictSnapshot | null): void {
  try {
    if (snapshot === null) storage?.removeItem(STORAGE_KEY);
    else storage?.setItem(STORAGE_KEY, JSON.stringify({ version: VERSION, ...snapshot }));
  } catch {
    // Full or forbidden.
  }
}

export function keptSnapshot(storage: KeyValueStorage | undefined): ConflictSnapshot | null {
  try {
    return readSnapshot(storage?.getItem(STORAGE_KEY) ?? '');
  } catch {
    return null;
  }
}

type Read = Record<string, unknown>;
const isObject = (value: unknown): value is Read => typeof value === 'object' && value !== null;
const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const TEXTS = ['holderLabel', 'comerLabel', 'holderOperation', 'comerOperation'] as const;
const isRow = (value: unknown): value is ConflictRow =>
  isObject(value) && TEXTS.every((name) => typeof value[name] === 'string') && isAmount(value['count']);
const isConditions = (value: unknown): value is Conditions | null => value === null || accepts(conditionsSchema, value);

function readSnapshot(text: string): ConflictSnapshot | null {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || value['version'] !== VERSION) return null;
  const { at_ms, seconds, conditions, rows, leftOut } = value;
  if (!isAmount(at_ms) || !isAmount(seconds) || !isAmount(leftOut) || !isConditions(conditions)) return null;
  if (!Array.isArray(rows) || rows.length > ROWS_KEPT || !rows.every(isRow)) return null;
  return { at_ms, seconds, conditions, rows: rows.map(withOutcome), leftOut };
}

const OUTCOMES = ['broke', 'again'] as const;

/** Rows that were kept before natives existed have no outcome. */
const withOutcome = (row: ConflictRow): ConflictRow => ({ ...row, outcome: OUTCOMES.find((one) => one === row.outcome) ?? 'waited' });
