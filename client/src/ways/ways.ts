// Ways: how the transactions of one client go, as far as it is the same for all of them or learnt by label. Each transaction has a plan of its own.

import type { Call } from '../values/call.ts';
import { AheadSwitch } from './ahead-switch.ts';
import { EpochChoice, type Chance } from './epoch-choice.ts';
import { Labels } from './labels.ts';
import { Plan, type Choices, type Traits } from './plan.ts';

/**
 * So many transactions of a client take locks at once because chains did not take them. While they hold locks, the members of all clients are
 * refused on these records, and would soon take locks too: so a crowd would fall back into locks, and stay there.
 */
const FALLBACKS_MAX = 2;

export class Ways implements Choices {
  readonly labels = new Labels();
  readonly ahead = new AheadSwitch();
  readonly #lists: EpochChoice;
  #fallbacks = 0;

  /** @param shardOf the shard of a key */
  constructor(shardOf: (key: string) => number) {
    this.#lists = new EpochChoice(shardOf);
  }

  /**
   * @param list null: it is a body, or its operations go one at a time
   * @param chance draws from 0 to 1, where lists learn
   */
  plan(traits: Traits, list: readonly Call[] | null, nowMs: number, chance: Chance): Plan {
    const { label, way } = traits;
    const isFree = list !== null && !traits.isSnapshot && !traits.hasId;
    return new Plan(this, traits, isFree ? this.#lists.choose({ label, list, way }, nowMs, chance) : null);
  }

  get goesAhead(): boolean {
    return this.ahead.on;
  }

  mayBeForecast(label: string, isList: boolean, nowMs: number): boolean {
    return this.labels.mayBeForecast(label, isList, nowMs);
  }

  fallsBack(): boolean {
    if (this.#fallbacks >= FALLBACKS_MAX) return false;
    this.#fallbacks++;
    return true;
  }

  hasFallenBack(): void {
    this.#fallbacks--;
  }
}
