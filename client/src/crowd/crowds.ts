// Crowds: decides which transactions are forecast and sent whole, and has the crowd of each session.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { BodyObserver } from '../attempt/running-attempt.ts';
import type { Environment } from '../environment/environment.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { CrowdReceivers } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import { BodyWatch } from './body-watch.ts';
import type { ChainsDependencies } from './chains.ts';
import { Crowd } from './crowd.ts';
import type { CrowdMode } from './crowd-switch.ts';
import { Labels } from './labels.ts';
import { Turns } from './turns.ts';

/**
 * A transaction of which so many members were taken out takes locks. Each costs little. One locked attempt on a hot record refuses every member that
 * comes meanwhile.
 */
export const MEMBERS_OUT_MAX = 8;
/** Longer lists go as they did before. */
const LIST_MAX = 256;

interface Sessions {
  session(shard: number): Session;
  sessionOf(key: string): Session;
}

export class Crowds implements CrowdReceivers {
  readonly labels: Labels;
  readonly turns: Turns;
  readonly #sessions: Sessions;
  readonly #dependencies: ChainsDependencies;
  readonly #byShard: Crowd[] = [];
  #mode: CrowdMode = 'never';
  /** the number of crowds that are on */
  #on = 0;

  constructor(environment: Environment, sessions: Sessions, dependencies: ChainsDependencies) {
    this.labels = new Labels(environment);
    this.turns = new Turns(environment);
    this.#sessions = sessions;
    this.#dependencies = dependencies;
  }

  /**
   * Where the cluster's conditions do not allow chains, shards refuse them.
   * @param chosen for this client; undefined: the cluster's conditions decide
   */
  configure(chosen: string | undefined, { locks, phasing, combining }: { locks: string; phasing: boolean; combining: string }): void {
    const never = chosen === 'off' || combining === 'off' || !phasing || locks === 'none';
    this.#mode = never ? 'never' : (chosen ?? combining) === 'on' ? 'always' : 'auto';
    for (const crowd of this.#byShard) crowd?.configure(this.#mode);
  }

  at(shard: number): Crowd {
    return this.#byShard[shard] ?? this.#begin(shard);
  }

  #begin(shard: number): Crowd {
    const crowd = new Crowd(this.#sessions.session(shard), this.#dependencies, (on) => void (this.#on += on ? 1 : -1));
    this.#byShard[shard] = crowd;
    crowd.configure(this.#mode);
    return crowd;
  }

  crowdOf(key: string): Crowd {
    return this.at(this.#sessions.sessionOf(key).shard);
  }

  /** The client is closing: no body runs on results any more. */
  stop(): void {
    for (const crowd of this.#byShard) crowd?.chains.stop();
  }

  onSessionLost(shard: number, error: ClaretError): void {
    this.#byShard[shard]?.onSessionLost(error);
  }

  /** Whether the transaction's next attempt is forecast. */
  takes(owner: AttemptOwner): boolean {
    // Its last attempt is not forecast, since a forecast may prove wrong.
    if (this.#on === 0 || !owner.mayBeForecast || owner.isLast || owner.membersOut >= MEMBERS_OUT_MAX) return false;
    const { list, label } = owner;
    if (list !== null && !this.#takesList(list)) return false;
    // Nothing of a list has to be guessed, unless each operation waits for the one before it.
    return (list !== null && !owner.oneAtATime) || this.labels.mayBeForecast(label, list !== null);
  }

  #takesList(list: readonly Call[]): boolean {
    if (list.length === 0 || list.length > LIST_MAX) return false;
    const crowd = this.crowdOf(list[0]!.key);
    return crowd.on && list.every(({ key }) => this.crowdOf(key) === crowd);
  }

  /** Watches the body of an attempt that takes locks, to learn whether it could be forecast; null: there is nothing to learn. */
  watch({ label, list, mayBeForecast }: AttemptOwner): BodyObserver | null {
    if (this.#on === 0 || list !== null || !mayBeForecast || this.labels.isStraight(label)) return null;
    const watch = new BodyWatch(this.turns);
    return { awaits: (operation) => watch.awaits(operation), ended: () => this.labels.ran(label, watch.end()) };
  }
}
