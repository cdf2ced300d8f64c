// The metrics of slots: how many the own shard has, and the moves in which it gave some away.
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { HELD_BOUNDS_S, MOVE_OUTCOMES } from '../moving/move-counts.ts';
import type { MoveCounts } from '../moving/move-counts.ts';
import { addCountedHistogram } from './counted-histogram.ts';

export interface MovesSource {
  shard: number;
  /** slots that the own shard owns */
  slots: number;
  counts: Readonly<MoveCounts>;
}

export function addMoves(registry: Registry, read: () => MovesSource): void {
  const slots: Gauge<'shard'> = new Gauge({
    name: 'claret_slots',
    help: 'Slots that the shard owns, of 16,384 in the cluster.',
    labelNames: ['shard'],
    registers: [registry],
    collect() {
      const source = read();
      slots.set({ shard: String(source.shard) }, source.slots);
    },
  });
  const moves: Counter<'outcome'> = new Counter({
    name: 'claret_moves_total',
    help: 'Moves of slots that this gateway has driven, since its shard gave the slots or was to, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      moves.reset();
      for (const outcome of MOVE_OUTCOMES) moves.inc({ outcome }, read().counts.outcomes[outcome]);
    },
  });
  const given: Counter = new Counter({
    name: 'claret_slots_given_total',
    help: 'Slots that this shard has given to other shards.',
    registers: [registry],
    collect() {
      given.reset();
      given.inc(read().counts.slotsGiven);
    },
  });
  addCountedHistogram(registry, {
    name: 'claret_slots_held_seconds',
    help: 'Times for which slots of this shard were held, so that nobody could use them, to be given or until that was put off.',
    boundsS: HELD_BOUNDS_S,
    read: () => ({ counts: read().counts.heldCounts, seconds: read().counts.heldSeconds }),
  });
}
