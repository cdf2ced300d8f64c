// TypeOperator: who installs the data types of a workload, and changes them while its transactions run, through the gateway of any shard. What is not
// confirmed is asked for again. No shard may refuse a change, and in the end all have the same types.
import { GatewayError } from '@claret/gateway/errors.ts';
import type { ChangedType } from '@claret/gateway/store/cluster-types.ts';
import type { Chance } from '../../../kit/random.ts';
import type { TypeChange, TypesInUse } from '../../workloads/types/types-in-use.ts';
import type { SimulatedCluster } from '../cluster.ts';
import type { Network } from '../network.ts';
import { SimulatedNode } from '../node.ts';
import type { World } from '../world.ts';
import { Refusals } from '../../workloads/types/refusals.ts';

/** Mean time between two changes. */
const EVERY_MS = 250;
const AGAIN_MS = 30;
/** Longer than a gateway waits for the others. */
const ASK_WITHIN_MS = 30_000;
const FROM = 'the operator';
/** The change may have been made, and is asked for again. */
const UNCONFIRMED = ['shard_unavailable', 'types_partial'];

export interface OperatorsRun {
  readonly world: World;
  readonly network: Network;
  readonly cluster: SimulatedCluster;
  readonly closing: boolean;
  readonly lull: Promise<void> | null;
  blame(rule: string, text: string): void;
}

export class TypeOperator {
  readonly refusals: Refusals;
  /** changes that all shards have confirmed */
  confirmed = 0;
  readonly #run: OperatorsRun;
  readonly #types: TypesInUse;
  readonly #chance: Chance;
  readonly #node: SimulatedNode;
  /** by name: what is to be there at the end */
  readonly #newest = new Map<string, Extract<TypeChange, { definition: string }>>();

  constructor(run: OperatorsRun, types: TypesInUse, chance: Chance) {
    this.#run = run;
    this.#types = types;
    this.#chance = chance;
    this.#node = new SimulatedNode(run.world, 'operator', chance.fork());
    this.refusals = new Refusals(types, () => run.world.nowMs, run.blame.bind(run));
  }

  begin(): void {
    void this.#work();
  }

  async #work(): Promise<void> {
    for (const type of this.#types.first) await this.#insist(type, () => !this.#run.closing);
    while (!this.#run.closing) {
      await this.#pause(this.#chance.waiting(EVERY_MS));
      if (this.#run.lull !== null) await this.#run.lull;
      if (!this.#run.closing) await this.#insist(this.#types.next(this.#chance), () => !this.#run.closing);
    }
  }

  /** Asks for the change until it is confirmed, or `goesOn` is false. */
  async #insist(change: TypeChange, goesOn: () => boolean): Promise<void> {
    if ('definition' in change) this.#newest.set(change.name, change);
    this.refusals.asked(change);
    while (goesOn()) {
      if (await this.#ask(change)) {
        this.confirmed++;
        return this.refusals.confirmed(change);
      }
      await this.#pause(this.#chance.waiting(AGAIN_MS));
    }
  }

  /** False: it is not confirmed. */
  async #ask(change: TypeChange): Promise<boolean> {
    const { world, network, cluster, blame } = this.#run;
    const address = this.#chance.pick(cluster.addresses);
    const what = 'retire' in change ? `retires ${change.retire}` : `installs ${change.name} ${change.version}`;
    world.note(`the operator ${what} at ${address}`);
    const answer = (): Promise<ChangedType> => {
      const types = cluster.typesAt(address)?.types;
      if (types === undefined) throw new GatewayError('shard_unavailable', `${address} serves no shard.`);
      return 'retire' in change ? types.retire(change.retire, FROM) : types.install(change.definition, FROM);
    };
    try {
      return await Promise.race([network.ask(this.#node, address, answer).then(() => true), this.#pause(ASK_WITHIN_MS).then(() => false)]);
    } catch (error) {
      if (error instanceof GatewayError && !UNCONFIRMED.includes(error.code))
        blame.call(this.#run, 'types', `the operator ${what}: ${error.code}: ${error.message}`);
      return false;
    }
  }

  /** Takes back what is retired. REQUIRES: faults are over, and every shard is served. */
  async settle(goesOn: () => boolean): Promise<void> {
    for (const newest of this.#newest.values()) await this.#insist(newest, goesOn);
  }

  /** What the shards do not have as they should; undefined: nothing. */
  apart(): string | undefined {
    for (const { name, host } of this.#run.cluster.shards) {
      if (host === null) return `${name}: nobody serves it`;
      const { types, done } = host.types.installed();
      if (!done) return `${name}: a change is not done`;
      for (const { name: type, definition } of this.#newest.values()) {
        const installed = types.find((one) => one.definition === definition);
        if (installed === undefined) return `${name} has no ${type} of its newest version`;
        if (installed.retired) return `${name}: ${type} is retired`;
      }
    }
    return undefined;
  }

  /** A request to retire one may have come late. */
  isAnyRetired(): boolean {
    return this.#run.cluster.shards.some(({ host }) => host?.types.installed().types.some(({ retired }) => retired) === true);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#node.setTimeout(resolve, ms));
  }
}
