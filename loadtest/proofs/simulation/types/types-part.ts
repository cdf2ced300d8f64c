// TypesPart: what a process that serves a shard does about installed data types. All of that is the gateway's own (gateway/src/store/cluster-types.ts).
// The calls between gateways are here. The laws are not tried: a trial is a process of its own, and a wrong claim has to get in.
import { catalogue as coreCatalogue } from '@claret/core';
import type { ClusterMember } from '@claret/gateway/cluster.ts';
import { GatewayError } from '@claret/gateway/errors.ts';
import { pause } from '@claret/gateway/store/environment.ts';
import { ClusterTypes } from '@claret/gateway/store/cluster-types.ts';
import type { PeerTypes } from '@claret/gateway/store/cluster-types.ts';
import { DONE_WITHIN_MS, OwnTypes } from '@claret/gateway/store/own-types.ts';
import type { ShardHost } from '@claret/gateway/store/shard-host.ts';
import { hashOf } from '@claret/gateway/store/type-trials.ts';
import type { TypeReport } from '@claret/gateway/store/type-trials.ts';
import { Catalogue } from '@claret/gateway/transaction/catalogue.ts';
import type { Network } from '../network.ts';
import type { SimulatedNode } from '../node.ts';

export interface TypesPartOptions {
  node: SimulatedNode;
  network: Network;
  shard: number;
  host: ShardHost;
  /** they change in place */
  members: readonly ClusterMember[];
  /** of the process that serves at that address */
  partAt(address: string): TypesPart | undefined;
}

/** As in gateway/src/grpc/types.ts. */
const ASK_TIMEOUT_MS = 2_000;
const CHANGE_TIMEOUT_MS = DONE_WITHIN_MS + 2_000;
const DECIDE_TIMEOUT_MS = 60_000;

const FROM = 'the simulation';
const quiet = () => {};

const reportOf = (definition: string): TypeReport => {
  const { name, version } = JSON.parse(definition) as { name: string; version: number };
  return { hash: hashOf(definition), name, version, seed: '0', pairs: [] };
};

const TRIALS = {
  run: (definition: string) => Promise.resolve(reportOf(definition)),
  pass: (definition: string) => Promise.resolve(reportOf(definition)),
  close: quiet,
};

export class TypesPart {
  readonly types: ClusterTypes;
  readonly #options: TypesPartOptions;

  constructor(options: TypesPartOptions) {
    const { node, shard, host, members } = options;
    this.#options = options;
    const catalogue = new Catalogue(coreCatalogue());
    const reserved = [...catalogue.types, catalogue.record].map(({ name }) => name);
    this.types = new ClusterTypes({
      shard,
      members,
      sources: members,
      own: new OwnTypes(host.types, catalogue, DONE_WITHIN_MS, node),
      peers: this.#peers(),
      trials: TRIALS,
      reserved,
      log: { info: quiet, warn: quiet },
      environment: node,
    });
  }

  #peers(): PeerTypes {
    return {
      getTypes: (member) => this.#ask(member, ASK_TIMEOUT_MS, ({ own }) => own.list()),
      getType: (member, id) => this.#ask(member, ASK_TIMEOUT_MS, ({ own }) => own.withId(id)),
      followType: (member, id) => this.#ask(member, CHANGE_TIMEOUT_MS, (types) => types.follow(id)),
      checkType: (member, definition, trial) => this.#ask(member, DECIDE_TIMEOUT_MS, (types) => types.check(definition, trial)),
      installType: (member, definition) => this.#ask(member, DECIDE_TIMEOUT_MS, (types) => types.install(definition, FROM)),
      retireType: (member, name) => this.#ask(member, DECIDE_TIMEOUT_MS, (types) => types.retire(name, FROM)),
    };
  }

  async #ask<T>({ grpc, shard }: ClusterMember, withinMs: number, answer: (types: ClusterTypes) => T | Promise<T>): Promise<T> {
    const { node, network, partAt } = this.#options;
    const silent = (): never => {
      throw new GatewayError('shard_unavailable', `Shard ${shard} at ${grpc} did not answer.`);
    };
    const asked = network.ask(node, grpc, () => {
      const part = partAt(grpc);
      return part === undefined ? silent() : answer(part.types);
    });
    try {
      return await Promise.race([asked, pause(node, withinMs).then(silent)]);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      return silent();
    }
  }
}
