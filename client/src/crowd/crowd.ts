// Crowd: decides which transactions of a client are forecast and sent whole, and has what they need: the switch, labels, chains, pictures.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { BodyObserver } from '../attempt/running-attempt.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Environment } from '../environment/environment.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { AtShards } from '../session/incoming.ts';
import type { Call } from '../values/call.ts';
import { OPERATIONS_PER_MEMBER_MAX } from '../values/limits.ts';
import { BodyWatch } from './body-watch.ts';
import { Chains, type ChainsDependencies } from './chains.ts';
import { CrowdSwitch, type CrowdMode, type LockTimes } from './crowd-switch.ts';
import { Labels } from './labels.ts';
import { Looks } from './looks.ts';
import { ShardCrowd } from './shard-crowd.ts';
import { Turns } from './turns.ts';

/**
 * A transaction of which so many members were taken out takes locks. Each costs little. One locked attempt on a hot record refuses every member that
 * comes meanwhile.
 */
export const MEMBERS_OUT_MAX = 8;
/**
 * So many transactions of a client take locks at once because chains did not take them. While they hold locks, the members of all clients are
 * refused on these records, and would soon take locks too: so a crowd would fall back into locks, and stay there.
 */
const FALLBACKS_MAX = 2;
/** and not before it has tried for so long: locks that are held now are gone by then, or the client goes back to locks as a whole */
const FALL_BACK_MS_LEAST = 500;

type Sessions = Pick<Cluster, 'session' | 'sessionOf' | 'firstLive'>;

export type CrowdDependencies = Omit<ChainsDependencies, 'sessionAt' | 'sequencer' | 'goesOverSinceMs'>;

export class Crowd implements AtShards<ShardCrowd> {
  readonly labels: Labels;
  readonly turns: Turns;
  readonly chains: Chains;
  readonly looks: Looks;
  readonly #sessions: Sessions;
  readonly #byShard: ShardCrowd[] = [];
  readonly #switch = new CrowdSwitch();
  readonly #environment: Environment;
  /** the transactions under way that took locks since chains did not take them */
  #fellBack = 0;

  constructor(sessions: Sessions, dependencies: CrowdDependencies) {
    const { environment, attempts, nextId } = dependencies;
    this.#sessions = sessions;
    this.#environment = environment;
    this.labels = new Labels(environment);
    this.turns = new Turns(environment);
    this.chains = new Chains(
      {
        ...dependencies,
        sessionAt: (shard) => sessions.session(shard),
        sequencer: () => sessions.firstLive(),
        goesOverSinceMs: () => this.#switch.goesOverSinceMs(environment.monotonicMs()),
      },
      () => this.looks.onBroken(),
      () => this.#switch.denied(),
    );
    this.looks = new Looks({ environment, attempts, nextId, chains: this.chains, sessionOf: (key) => sessions.sessionOf(key) });
  }

  /**
   * Where the cluster's conditions do not allow chains, shards refuse them.
   * @param chosen for this client; undefined: the cluster's conditions decide
   */
  configure(chosen: 'off' | 'always' | undefined, { phasing, combining }: { phasing: boolean; combining: string }): void {
    const never = chosen === 'off' || combining === 'off' || !phasing;
    const mode: CrowdMode = never ? 'never' : (chosen ?? 'auto');
    this.#switch.configure(mode, this.#environment.monotonicMs());
  }

  /** New transactions are forecast and sent whole. */
  get on(): boolean {
    return this.#switch.on;
  }

  at(shard: number): ShardCrowd {
    return this.#byShard[shard] ?? this.#begin(shard);
  }

  #begin(shard: number): ShardCrowd {
    const crowd = new ShardCrowd(this.#sessions.session(shard), {
      environment: this.#environment,
      chains: this.chains,
      crowdSwitch: this.#switch,
      lockTimes: this.#lockTimes,
    });
    this.#byShard[shard] = crowd;
    return crowd;
  }

  of(key: string): ShardCrowd {
    return this.at(this.#sessions.sessionOf(key).shard);
  }

  /** The client is closing: no body runs on results any more. */
  stop(): void {
    this.chains.stop();
  }

  onSessionLost(shard: number, error: ClaretError): void {
    this.#byShard[shard]?.onSessionLost();
    this.chains.onSessionLost(shard, error);
  }

  readonly #lockTimes = (): LockTimes => {
    const sum = { attempts: 0, attemptMs: 0, waitedMs: 0, runs: 0 };
    for (const crowd of this.#byShard) {
      if (crowd === undefined) continue;
      const { attempts, attemptMs, waitedMs, runs } = crowd.session.lockTimes;
      sum.attempts += attempts;
      sum.attemptMs += attemptMs;
      sum.waitedMs += waitedMs;
      sum.runs += runs;
    }
    return sum;
  };

  // ---- transactions ----

  /** Whether the transaction's next attempt is forecast. */
  takes(owner: AttemptOwner): boolean {
    // Its last attempt is not forecast, since a forecast may prove wrong.
    if (!this.on || !owner.mayBeForecast || owner.isLast) return false;
    if (owner.membersOut >= MEMBERS_OUT_MAX && this.fallBack(owner, Infinity)) return false;
    const { list, label } = owner;
    if (list !== null && !takesList(list)) return false;
    // Nothing of a list has to be guessed, unless each operation waits for the one before it.
    return (list !== null && !owner.oneAtATime) || this.labels.mayBeForecast(label, list !== null);
  }

  /**
   * The transaction takes locks, since chains have not taken it for `triedMs`. False: it has to go on trying, for longer or because another one
   * has taken locks.
   */
  fallBack(owner: AttemptOwner, triedMs: number): boolean {
    if (owner.fellBack || !this.on) return true;
    if (triedMs < FALL_BACK_MS_LEAST || this.#fellBack >= FALLBACKS_MAX) return false;
    owner.fellBack = true;
    this.#fellBack++;
    return true;
  }

  ended({ fellBack }: Pick<AttemptOwner, 'fellBack'>): void {
    if (fellBack) this.#fellBack--;
  }

  /** Watches the body of an attempt that takes locks, to learn whether it could be forecast; null: there is nothing to learn. */
  watch({ label, list, mayBeForecast }: AttemptOwner): BodyObserver | null {
    if (!this.on || list !== null || !mayBeForecast || this.labels.isStraight(label)) return null;
    const watch = new BodyWatch(this.turns);
    return { awaits: (operation) => watch.awaits(operation), ended: () => this.labels.ran(label, watch.end()) };
  }
}

const takesList = (list: readonly Call[]): boolean => list.length > 0 && list.length <= OPERATIONS_PER_MEMBER_MAX;
