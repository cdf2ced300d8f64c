// Refusals: which errors a transaction may end with where data types are installed and changed meanwhile. Each code has to have a reason: a fault,
// a requirement of the operation, or a change that was asked for and not confirmed.
import type { ClaretError } from '@claret/client';
import type { TypeChange, TypesInUse } from './types-in-use.ts';

/** By faults, conflicts and limits of time. */
const BY_FAULTS: readonly string[] = [
  'gave_up',
  'expired',
  'shard_unavailable',
  'outcome_unknown',
  'result_lost',
  'overloaded',
  'clock_skew',
  'disk_full',
  'log_unavailable',
  'session_lost', // of a native that observes, if a later one of its client on the record was executed
];

/** A request to retire a type that comes late may be followed by this much time until it is taken back again. */
const LATE_MS = 5_000;

export class Refusals {
  readonly #types: TypesInUse;
  readonly #nowMs: () => number;
  readonly #blame: (rule: string, text: string) => void;
  /** by name: since when all shards have had the version, for each */
  readonly #versions = new Map<string, Map<number, number>>();
  /** by name: until when the type may be retired */
  readonly #retiredUntilMs = new Map<string, number>();

  constructor(types: TypesInUse, nowMs: () => number, blame: (rule: string, text: string) => void) {
    this.#types = types;
    this.#nowMs = nowMs;
    this.#blame = blame;
  }

  asked(change: TypeChange): void {
    if ('retire' in change) this.#retiredUntilMs.set(change.retire, Infinity);
  }

  confirmed(change: TypeChange): void {
    if ('retire' in change) return;
    const { name, version } = change;
    const nowMs = this.#nowMs();
    if (this.#retiredUntilMs.get(name) === Infinity) this.#retiredUntilMs.set(name, nowMs + LATE_MS);
    let versions = this.#versions.get(name);
    if (versions === undefined) this.#versions.set(name, (versions = new Map()));
    if (!versions.has(version)) versions.set(version, nowMs);
  }

  /** A transaction that had begun at this time ended with the error. */
  judge(error: ClaretError, begunMs: number): void {
    const { code, message, key = '', operation = '' } = error;
    if (BY_FAULTS.includes(code) || this.#mayRefuse(code, key, operation, begunMs)) return;
    this.#blame('refusal', `${operation || 'an operation'} on ${key || 'some record'} was refused with ${code}: ${message}`);
  }

  /** A shard that does not know an operation does not name it. */
  #mayRefuse(code: string, key: string, operation: string, begunMs: number): boolean {
    const type = this.#types.typeOf(key) ?? '';
    switch (code) {
      case 'unknown_type':
        return begunMs < this.#sinceMs(type, 1);
      case 'unknown_operation':
        return begunMs < this.#sinceMs(type, this.#types.complete[type] ?? 1);
      case 'type_retired':
        return begunMs < (this.#retiredUntilMs.get(type) ?? -Infinity);
      default:
        return this.#types.refusals[operation]?.includes(code) === true;
    }
  }

  /** Since when all shards have had that version or a later one; Infinity: they need not have it yet. */
  #sinceMs(type: string, least: number): number {
    const since = [...(this.#versions.get(type) ?? [])].filter(([version]) => version >= least).map(([, ms]) => ms);
    return Math.min(Infinity, ...since);
  }
}
