// The metrics of ownership: who owns the own shard, for how long it may still answer, and take-overs. Absent in a cluster that is not
// replicated.
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

export interface OwnershipSource {
  shard: number;
  incarnation: number;
  /** for how long the owner may still answer; negative: it answers nothing */
  leaseMs: number;
  /** the last durable entry of the log */
  position: number;
  /** by shard: changes of the owner's address that this gateway has seen, its own take-over among them */
  takeOvers: ReadonlyMap<number, number>;
}

export function addOwnership(registry: Registry, read: () => OwnershipSource): void {
  const ofShard = (name: string, help: string, value: (source: OwnershipSource) => number) => {
    const gauge: Gauge<'shard'> = new Gauge({
      name,
      help,
      labelNames: ['shard'],
      registers: [registry],
      collect() {
        const source = read();
        gauge.set({ shard: String(source.shard) }, value(source));
      },
    });
  };
  ofShard('claret_owner_incarnation', 'The incarnation in which this gateway owns the shard.', ({ incarnation }) => incarnation);
  ofShard(
    'claret_owner_lease_seconds',
    'For how long this gateway may still answer for the shard without renewing its lease; negative: it answers nothing.',
    ({ leaseMs }) => leaseMs / 1000,
  );
  ofShard('claret_owner_position', 'The last durable entry of the log of the shard.', ({ position }) => position);
  const takeOvers: Counter<'shard'> = new Counter({
    name: 'claret_takeovers_total',
    help: 'Times that another gateway has taken the shard over, as this one has seen since its start; its own take-over is one.',
    labelNames: ['shard'],
    registers: [registry],
    collect() {
      takeOvers.reset();
      for (const [shard, count] of read().takeOvers) takeOvers.inc({ shard: String(shard) }, count);
    },
  });
}
