// The data types that are installed in the whole cluster, while it runs. Each shard has them in its log, and nowhere else.
//
//   decide      The gateway of shard 0 decides all changes, one after the other; others pass them on to it. So a name has one id everywhere, and
//               nothing has to be resolved afterwards.
//   install     The laws are tried on the very text (type-trials.ts). Then all shards are asked what they have. If one cannot be reached, or has
//               something that the type does not go with, nothing is changed. Shard 0 is changed first: once that is durable, the change stands,
//               and the others are told to take the type from there.
//   repair      Each gateway asks before it serves, and then every REPAIR_MS: shard 0, and one other shard in turn. It takes types that it lacks
//               and later versions from any of them, since these only ever grow. What is retired follows shard 0 alone. So a gateway that was
//               cut off, joins later or has lost its memory follows; that of shard 0, too, takes what it has lost from the others.
//   trust       A definition comes from the laws' trial at shard 0, or from a gateway at an address that this one was started with, and never
//               from a caller: whoever knows a token can call as a gateway does, and greet as a shard that joins.
//
// While a change spreads, some shards have a type, or its later version, and others do not: those refuse its operations, or run the earlier ones.
// Each shard drains before it replaces a version (server-core/src/transaction/type_changes.h).
import { startOf, type Environment, type Timer } from '@claret/client';
import type { InstalledType } from '@claret/core';
import type { FastifyBaseLogger } from 'fastify';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Catalogue } from '../transaction/catalogue.ts';
import { shardEnvironment } from './environment.ts';
import { OwnTypes } from './own-types.ts';
import type { ListedType, LocalTypes } from './own-types.ts';
import { TypeTrials } from './type-trials.ts';
import type { Trial, TypeReport } from './type-trials.ts';
import type { TypesHost } from './types-host.ts';

export interface ShardTypes {
  shard: number;
  /** null: the shard did not answer */
  types: ListedType[] | null;
  done: boolean;
  error?: string;
}

/** The change of a type, and what each shard has afterwards. */
export interface ChangedType {
  type: ListedType;
  /** with an installation */
  report?: TypeReport;
  shards: ShardTypes[];
}

/** The subset of `Peers` for types. Each throws shard_unavailable. */
export interface PeerTypes {
  getTypes(member: ClusterMember): Promise<LocalTypes>;
  /** Undefined: that shard has none with this id. */
  getType(member: ClusterMember, id: number): Promise<InstalledType | undefined>;
  /** That shard takes the type from shard 0. Throws type_conflict. */
  followType(member: ClusterMember, id: number): Promise<LocalTypes>;
  /** What the gateway of shard 0 is asked by others; throws as the methods of ClusterTypes. */
  checkType(member: ClusterMember, definition: string, trial: Trial): Promise<TypeReport>;
  installType(member: ClusterMember, definition: string): Promise<ChangedType>;
  retireType(member: ClusterMember, name: string): Promise<ChangedType>;
}

export interface ClusterTypesParts {
  shard: number;
  members: readonly ClusterMember[];
  /** members that did not join by a greeting: types are taken from these alone */
  sources: readonly ClusterMember[];
  own: OwnTypes;
  peers: PeerTypes;
  trials: Pick<TypeTrials, 'run' | 'pass' | 'close'>;
  /** names that no installed type may have */
  reserved: readonly string[];
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  environment?: Environment;
}

function nameIn(definition: string): unknown {
  try {
    return (JSON.parse(definition) as { name?: unknown } | null)?.name;
  } catch {
    return undefined;
  }
}

const DECIDER = 0;
export const ID_FIRST = 128;
export const ID_LAST = 247;
const REPAIR_MS = 1_000;

export class ClusterTypes {
  /** of the own shard */
  readonly own: OwnTypes;
  private readonly parts: ClusterTypesParts;
  private changes: Promise<unknown> = Promise.resolve();
  private readonly environment: Environment;
  private repair: Timer;
  private isClosed = false;
  private repairing = false;
  private next = 0;
  /** hashes of types that could not be taken from other shards */
  private readonly refused = new Set<string>();

  constructor(parts: ClusterTypesParts) {
    this.parts = parts;
    this.own = parts.own;
    this.environment = parts.environment ?? shardEnvironment;
  }

  everywhere(): Promise<ShardTypes[]> {
    return this.ask(
      () => this.own.list(),
      (member) => this.parts.peers.getTypes(member),
    );
  }

  /** Tries the laws; changes nothing. Throws as TypeTrials.run, and shard_unavailable. */
  async check(definition: string, trial: Trial): Promise<TypeReport> {
    const { decider } = this;
    if (decider !== undefined) return this.parts.peers.checkType(decider, definition, trial);
    return this.parts.trials.run(definition, { ...trial, before: this.installed(definition) });
  }

  /**
   * Installs the type, or takes it back if it is retired. The same definition again changes nothing. `from`: who asked for it, for the log.
   * Throws as TypeTrials.pass; type_conflict, shard_unavailable: nothing was changed; types_partial: the change stands, and shards that did
   * not confirm it will follow. The last two carry the state of each shard as `shards`.
   */
  async install(definition: string, from: string): Promise<ChangedType> {
    const { decider } = this;
    const { trials, peers, log } = this.parts;
    let changed: ChangedType;
    if (decider !== undefined) changed = await peers.installType(decider, definition);
    else {
      const report = await trials.pass(definition, this.installed(definition));
      changed = await this.inTurn(() => this.installEverywhere(definition, report));
    }
    log.info({ ...changed.type, from }, 'a data type was installed');
    return changed;
  }

  /** Its operations are refused from now on. Throws type_not_installed, shard_unavailable, types_partial. */
  async retire(name: string, from: string): Promise<ChangedType> {
    const { decider } = this;
    const { peers, log } = this.parts;
    const changed = decider === undefined ? await this.inTurn(() => this.retireEverywhere(name)) : await peers.retireType(decider, name);
    log.info({ ...changed.type, from }, 'a data type was retired');
    return changed;
  }

  /** Takes the type as shard 0 has it. Throws type_not_installed, type_conflict, shard_unavailable. */
  async follow(id: number): Promise<LocalTypes> {
    const { decider } = this;
    if (decider === undefined) return this.own.list();
    const type = await this.parts.peers.getType(decider, id);
    if (type === undefined) throw new GatewayError('type_not_installed', `Shard ${DECIDER} has no data type with the id ${id}.`);
    return this.own.change(type);
  }

  /** An installed type of the own shard. Throws type_not_installed. */
  find(name: string): ListedType {
    const type = this.own.list().types.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (type === undefined) throw new GatewayError('type_not_installed', `No data type '${startOf(name, 64)}' is installed.`);
    return type;
  }

  /** Takes what gateways have that can be reached; to be called before the gateway serves. */
  async join(): Promise<void> {
    const { sources, shard } = this.parts;
    await Promise.all(sources.filter((member) => member.shard !== shard).map((member) => this.takeFrom(member)));
    this.repairLater();
  }

  close(): void {
    this.isClosed = true;
    this.environment.clearTimeout(this.repair);
    this.parts.trials.close();
  }

  /** Undefined: this gateway decides. */
  private get decider(): ClusterMember | undefined {
    const { shard, members } = this.parts;
    return shard === DECIDER ? undefined : members[DECIDER];
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const change = this.changes.then(work);
    this.changes = change.catch(() => {});
    return change;
  }

  private async installEverywhere(definition: string, tried: TypeReport): Promise<ChangedType> {
    await this.catchUp();
    // Another installation may have come first: then it was tried on records of another version. What has passed is remembered.
    const report = await this.parts.trials.pass(definition, this.installed(definition));
    return { ...(await this.spread({ id: this.placeFor(tried), retired: false, definition })), report };
  }

  private async retireEverywhere(name: string): Promise<ChangedType> {
    await this.catchUp();
    const { definition, id } = this.own.withId(this.find(name).id)!;
    return this.spread({ id, retired: true, definition });
  }

  /** Asks all shards, and takes whatever they have before this one. Throws shard_unavailable, type_conflict. */
  private async catchUp(): Promise<void> {
    const before = await this.everywhere();
    refuseMissing(before, 'shard_unavailable', (missed) => `Shard ${missed} cannot be reached: nothing was changed.`);
    const { sources, shard } = this.parts;
    for (const member of sources) if (member.shard !== shard) await this.takeFrom(member);
    const own = new Map(this.own.list().types.map(({ id, name }) => [id, name]));
    for (const { shard: other, types } of before) {
      const apart = types!.find(({ id, name }) => own.get(id) !== name);
      if (apart === undefined) continue;
      throw new GatewayError('type_conflict', `Shard ${other} has ${apart.name} under the id ${apart.id}, and shard ${shard} has not.`);
    }
  }

  /** The definition that this one would replace; undefined: there is none, or this is no definition. */
  private installed(definition: string): string | undefined {
    const name = nameIn(definition);
    const before = this.own.list().types.find((type) => type.name === name);
    return before === undefined ? undefined : this.own.withId(before.id)?.definition;
  }

  /** The id that the type is to have. Throws type_conflict. */
  private placeFor({ name }: TypeReport): number {
    const { types } = this.own.list();
    const before = types.find((type) => type.name === name);
    if (before !== undefined) return before.id;
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const taken = [...this.parts.reserved, ...types.map((type) => type.name)].find(isSame);
    if (taken !== undefined) throw new GatewayError('type_conflict', `The name ${name} is too much like that of ${taken}.`);
    for (let id = ID_FIRST; id <= ID_LAST; id++) if (!types.some((type) => type.id === id)) return id;
    throw new GatewayError(
      'type_conflict',
      'No id is left: a cluster can have 120 data types of its own, those that are retired included.',
    );
  }

  private async spread(type: InstalledType): Promise<ChangedType> {
    const own = await this.own.change(type);
    if (!own.done) {
      const shards = [{ shard: this.parts.shard, ...own }];
      throw new GatewayError('types_partial', 'The change waits for transactions that run, or for the log. It spreads by itself.', {
        extra: { shards },
      });
    }
    const shards = await this.ask(
      () => own,
      (member) => this.parts.peers.followType(member, type.id),
    );
    refuseMissing(
      shards,
      'types_partial',
      (missed) => `Not confirmed by shard ${missed}, which follows once it can be reached; changed at all others.`,
    );
    return { type: own.types.find(({ id }) => id === type.id)!, shards };
  }

  private repairLater(): void {
    if (this.isClosed) return;
    this.repair = this.environment.setTimeout(() => {
      this.repairLater();
      void this.askNext();
    }, REPAIR_MS);
  }

  private async askNext(): Promise<void> {
    this.own.tell();
    const { sources, shard } = this.parts;
    if (this.repairing || sources.length === 1) return;
    this.repairing = true;
    this.next = (this.next + 1) % sources.length;
    const asked = new Set([DECIDER, this.next]);
    asked.delete(shard);
    await Promise.all([...asked].map((other) => this.takeFrom(sources[other]!)));
    this.repairing = false;
  }

  /** Does nothing if the gateway does not answer: it is asked again when its turn comes. */
  private async takeFrom(member: ClusterMember): Promise<void> {
    const { peers, log } = this.parts;
    let { changes } = this.own;
    const { types } = await peers.getTypes(member).catch(() => ({ types: [] }));
    for (const type of types) {
      // What is said to be retired may be older than a change that was made meanwhile.
      const decides = member.shard === DECIDER && changes === this.own.changes;
      if (this.refused.has(type.hash) || !this.own.lacks(type, decides)) continue;
      try {
        const whole = await peers.getType(member, type.id);
        if (whole !== undefined) await this.own.change(whole);
        changes++;
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'type_conflict') return;
        this.refused.add(type.hash);
        log.warn(`the data type ${type.name} of shard ${member.shard} cannot be taken: ${error.message}`);
      }
    }
  }

  private ask(own: () => LocalTypes, peer: (member: ClusterMember) => Promise<LocalTypes>): Promise<ShardTypes[]> {
    const { members, shard: ownShard } = this.parts;
    return Promise.all(
      members.map(async (member): Promise<ShardTypes> => {
        const { shard } = member;
        try {
          return { shard, ...(shard === ownShard ? own() : await peer(member)) };
        } catch (error) {
          return { shard, types: null, done: false, error: (error as Error).message };
        }
      }),
    );
  }
}

function refuseMissing(shards: ShardTypes[], code: ErrorCode, message: (missed: string) => string): void {
  const missed = shards.filter(({ types }) => types === null).map(({ shard }) => shard);
  if (missed.length > 0) throw new GatewayError(code, message(missed.join(', ')), { extra: { shards } });
}

/** `catalogue`: of the built-in types alone; it follows the own shard from now on. */
export function clusterTypes(
  shard: number,
  members: readonly ClusterMember[],
  host: TypesHost,
  catalogue: Catalogue,
  peers: PeerTypes,
  log: ClusterTypesParts['log'],
): ClusterTypes {
  const reserved = [...catalogue.types, catalogue.record].map(({ name }) => name);
  const own = new OwnTypes(host, catalogue);
  return new ClusterTypes({ shard, members, sources: [...members], own, peers, trials: new TypeTrials(), reserved, log });
}
