// OwnTypes: the installed data types of the own shard, which has them in its log. The gateway's catalogue follows them.
import type { Environment } from '@claret/client';
import type { InstalledType } from '@claret/core';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from '../transaction/catalogue.ts';
import { pause, shardEnvironment } from './environment.ts';
import { hashOf } from './type-trials.ts';
import type { TypesHost } from './types-host.ts';

/** An installed type without its definition. */
export interface ListedType {
  id: number;
  name: string;
  version: number;
  /** SHA-256 of the definition, in hexadecimal digits */
  hash: string;
  retired: boolean;
}

export interface LocalTypes {
  types: ListedType[];
  /** all changes are in force, and durable */
  done: boolean;
}

type Host = Pick<TypesHost, 'change' | 'installed' | 'catalogue'>;

/** Another version waits until all attempts of the shard have ended. */
export const DONE_WITHIN_MS = 10_000;
const LOOK_MS = 5;

export class OwnTypes {
  /** number of changes so far */
  changes = 0;
  private readonly host: Host;
  private readonly catalogue: Pick<Catalogue, 'take'>;
  private readonly doneWithinMs: number;
  private readonly environment: Environment;
  private readonly known = new Map<number, { definition: string; about: Omit<ListedType, 'retired'> }>();
  /** that the catalogue has been told */
  private told = '[]';

  constructor(host: Host, catalogue: Pick<Catalogue, 'take'>, doneWithinMs = DONE_WITHIN_MS, environment = shardEnvironment) {
    this.host = host;
    this.catalogue = catalogue;
    this.doneWithinMs = doneWithinMs;
    this.environment = environment;
    this.tell();
  }

  list(): LocalTypes {
    const { types, done } = this.host.installed();
    return { types: types.map((type) => this.listed(type)), done };
  }

  /** Undefined: there is none. */
  withId(id: number): InstalledType | undefined {
    return this.host.installed().types.find((type) => type.id === id);
  }

  /** Changes a type, and waits until that is in force and durable, for a while. Throws type_conflict. */
  async change(type: InstalledType): Promise<LocalTypes> {
    const problem = this.host.change(type);
    if (problem !== undefined) throw new GatewayError('type_conflict', `It cannot be installed: ${problem}.`);
    this.changes++;
    const { environment } = this;
    const giveUpMs = environment.monotonicMs() + this.doneWithinMs;
    while (!this.host.installed().done && environment.monotonicMs() < giveUpMs) await pause(environment, LOOK_MS);
    this.tell();
    return this.list();
  }

  /** Whether another shard is ahead: it has a type that is not here, or a later version. `decides`: its word counts on what is retired. */
  lacks({ id, version, hash, retired }: ListedType, decides: boolean): boolean {
    const own = this.list().types.find((type) => type.id === id);
    if (own === undefined || version > own.version) return true;
    return decides && hash === own.hash && retired !== own.retired;
  }

  /** Tells the catalogue of changes, if there are any. */
  tell(): void {
    const { types } = this.list();
    const now = JSON.stringify(types);
    if (now === this.told) return;
    this.told = now;
    const retired = types.filter((type) => type.retired).map(({ name }) => name);
    this.catalogue.take(this.host.catalogue(), retired);
  }

  private listed({ id, retired, definition }: InstalledType): ListedType {
    let known = this.known.get(id);
    if (known?.definition !== definition) {
      const { name, version } = JSON.parse(definition) as { name: string; version: number };
      known = { definition, about: { id, name, version, hash: hashOf(definition) } };
      this.known.set(id, known);
    }
    return { ...known.about, retired };
  }
}
