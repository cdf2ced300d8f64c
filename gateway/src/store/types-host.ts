// The installed data types of a shard: the calls of the core, for the shard's host.
import type { Environment } from '@claret/client';
import type { InstalledType, Shard } from '@claret/core';

export class TypesHost {
  private readonly shard: Shard;
  private readonly environment: Environment;
  private readonly wake: () => void;

  /** `wake`: makes the core run */
  constructor(shard: Shard, environment: Environment, wake: () => void) {
    this.shard = shard;
    this.environment = environment;
    this.wake = wake;
  }

  /** Changes a type soon (Shard.changeType). Returns why it cannot be changed so. */
  change(type: InstalledType): string | undefined {
    const problem = this.shard.changeType(type, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
    return problem;
  }

  installed(): ReturnType<Shard['installedTypes']> {
    return this.shard.installedTypes();
  }

  /** The built-in types, and the installed ones that are not retired, as JSON text. */
  catalogue(): string {
    return this.shard.catalogue();
  }
}
