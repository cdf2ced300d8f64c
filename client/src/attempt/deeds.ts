// AttemptDeeds: what an attempt does, as the warranties see it on which it relies.

import { Validation, type Use } from '../warranties/use.ts';
import type { ReliantAttempt } from '../warranties/reliance.ts';
import type { Wide } from '../wire/wide.ts';
import type { Coordinator } from './branch.ts';
import type { AttemptDependencies } from './dependencies.ts';

/** the number of no shard */
const NOWHERE = -1;

export class AttemptDeeds implements ReliantAttempt {
  readonly #attempt: Coordinator;
  readonly #dependencies: AttemptDependencies;

  constructor(attempt: Coordinator, dependencies: AttemptDependencies) {
    this.#attempt = attempt;
    this.#dependencies = dependencies;
  }

  get priority(): Wide {
    return this.#attempt.owner.priority;
  }

  get running(): boolean {
    return this.#attempt.running;
  }

  get shards(): readonly number[] {
    return this.#attempt.branches.map((branch) => branch.shard);
  }

  changes(key: string): boolean {
    return this.#attempt.branches.some((branch) => branch.issued.changes(key));
  }

  shardOf(key: string): number {
    return this.#dependencies.cluster.shardOf(key);
  }

  clockKnown(shard: number): boolean {
    const { cluster, warranties } = this.#dependencies;
    return cluster.session(shard).live && warranties.at(shard).clock.known;
  }

  validate(use: Use, atOnce: boolean): Validation {
    const branch = this.#attempt.branchOf(this.#dependencies.cluster.sessionOf(use.grant.call.key));
    const validation = new Validation(branch, use);
    if (atOnce) branch.validate(validation);
    else branch.add(validation);
    return validation;
  }

  mustNotWait(by: Wide): void {
    this.#attempt.mustNotWait(NOWHERE, by);
  }
}
