// Services that are there later: a gateway without a shard makes its REST API of them while it waits, so that it has nothing to make when it
// takes a shard.
import type { Services } from './services.ts';

type Known = 'catalogue' | 'idempotencyMs';
type Late = Exclude<keyof Services, Known>;

const LATE = {
  lifecycle: true,
  transactions: true,
  calls: true,
  interactive: true,
  awaitedChanges: true,
  conditions: true,
  types: true,
  warranties: true,
  clocks: true,
  topology: true,
  overview: true,
  agreement: true,
  ownMoves: true,
  ownConflicts: true,
  metrics: true,
  shardTelemetry: true,
  telemetry: true,
  marks: true,
  ownShardBackup: true,
  backup: true,
  laboratory: true,
} satisfies Record<Late, true>;

export class LateServices {
  /** Only `known` may be used before the others have come. */
  readonly services: Services;
  private come: Services | undefined;

  constructor(known: Pick<Services, Known>) {
    const late = Object.keys(LATE).map((name) => [name, standIn(() => this.come![name as Late]!)]);
    this.services = { ...known, ...(Object.fromEntries(late) as Pick<Services, Late>) };
  }

  take(services: Services): void {
    this.come = services;
  }
}

/** Has the properties and methods of an object that `find` gives when one of them is used. */
function standIn<T extends object>(find: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const found = find();
      const value: unknown = Reflect.get(found, name);
      return typeof value === 'function' ? (value.bind(found) as unknown) : value;
    },
  });
}
