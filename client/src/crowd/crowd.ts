// Crowd: what the transactions of a client share that are forecast and sent whole: chains, pictures, looks. Which ones go that way, `ways` decides.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { BodyObserver } from '../attempt/running-attempt.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Environment } from '../environment/environment.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { AtShards } from '../session/incoming.ts';
import type { AheadMode, LockTimes } from '../ways/ahead-switch.ts';
import type { Labels } from '../ways/labels.ts';
import type { Ways } from '../ways/ways.ts';
import { BodyWatch } from './body-watch.ts';
import { Chains, type ChainsDependencies } from './chains.ts';
import { Looks } from './looks.ts';
import { ShardCrowd } from './shard-crowd.ts';
import { Turns } from './turns.ts';

type Sessions = Pick<Cluster, 'session' | 'sessionOf' | 'firstLive'>;

export type CrowdDependencies = Omit<ChainsDependencies, 'sessionAt' | 'sequencer' | 'goesOverSinceMs'>;

export class Crowd implements AtShards<ShardCrowd> {
  readonly turns: Turns;
  readonly chains: Chains;
  readonly looks: Looks;
  readonly #sessions: Sessions;
  readonly #byShard: ShardCrowd[] = [];
  readonly #ways: Ways;
  readonly #environment: Environment;

  constructor(sessions: Sessions, ways: Ways, dependencies: CrowdDependencies) {
    const { environment, attempts, nextId } = dependencies;
    this.#sessions = sessions;
    this.#environment = environment;
    this.#ways = ways;
    this.turns = new Turns(environment);
    this.chains = new Chains(
      {
        ...dependencies,
        sessionAt: (shard) => sessions.session(shard),
        sequencer: () => sessions.firstLive(),
        goesOverSinceMs: () => this.#ways.ahead.goesOverSinceMs(environment.monotonicMs()),
      },
      () => this.looks.onBroken(),
      () => this.#ways.ahead.denied(),
    );
    this.looks = new Looks({ environment, attempts, nextId, chains: this.chains, sessionOf: (key) => sessions.sessionOf(key) });
  }

  /**
   * Where the cluster's conditions do not allow chains, shards refuse them.
   * @param chosen for this client; undefined: the cluster's conditions decide
   */
  configure(chosen: 'off' | 'always' | undefined, { phasing, combining }: { phasing: boolean; combining: string }): void {
    const never = chosen === 'off' || combining === 'off' || !phasing;
    const mode: AheadMode = never ? 'never' : (chosen ?? 'auto');
    this.#ways.ahead.configure(mode, this.#environment.monotonicMs());
  }

  /** New transactions are forecast and sent whole. */
  get on(): boolean {
    return this.#ways.ahead.on;
  }

  at(shard: number): ShardCrowd {
    return this.#byShard[shard] ?? this.#begin(shard);
  }

  #begin(shard: number): ShardCrowd {
    const crowd = new ShardCrowd(this.#sessions.session(shard), {
      environment: this.#environment,
      chains: this.chains,
      ahead: this.#ways.ahead,
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

  get labels(): Labels {
    return this.#ways.labels;
  }

  /** A member of that label was found in, or out. */
  concluded(label: string, out: boolean): void {
    this.labels.concluded(label, out, this.#environment.monotonicMs());
  }

  /** Watches the body of an attempt that takes locks, to learn whether it could be forecast; null: there is nothing to learn. */
  watch({ label, plan }: AttemptOwner): BodyObserver | null {
    if (!plan.learns || this.labels.isStraight(label)) return null;
    const watch = new BodyWatch(this.turns);
    return { awaits: (operation) => watch.awaits(operation), ended: () => this.labels.ran(label, watch.end()) };
  }
}
